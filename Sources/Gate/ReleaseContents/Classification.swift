internal import Signet
internal import SignetBase
internal import SignetSystem

/// What each entry below the folders of a release is: an artifact, a signature, a part of a directory, left out.
///
/// Paths are compared as bytes. Two names that differ in Unicode normalization alone are two files.
struct Classification {
  typealias Found = (path: String, root: Int, entry: DirectoryScan.Entry)

  /// The files, links and folders, sorted by the bytes of their paths.
  private(set) var files: [ReleaseFile] = []
  /// Everything that was found, sorted by the bytes of its path.
  private let found: [Found]
  /// The pattern that leaves out each entry of ``found``; nil if none does.
  private let exclusions: [PathPattern?]
  private let wholes: Set<[UInt8]>

  /// The maximum number of links on the way to a file, as on Linux (path_resolution(7)).
  private static let linkLimit = 40

  /// - Parameter found: the entries, sorted by the bytes of their paths.
  /// - Throws: `gate.duplicate-path`, `gate.link`, `gate.special-file`.
  init(
    _ found: [Found], _ directories: [Directory], excluding exclusions: [PathPattern], wholes known: [String]
  ) throws(SignetError) {
    self.found = found
    wholes = Set(known.map { Array($0.utf8) })
    let list = ExclusionList(exclusions)
    self.exclusions = found.map { list.first(for: $0.path, isFolder: $0.entry.status.kind == .directory) }
    for (first, second) in zip(found, found.dropFirst()) where first.path.isExactly(second.path) {
      throw SignetError(
        .gateDuplicatePath, second.path, "is in two of the folders", hint: "check the folders one after the other")
    }
    // The roles that entries have from a folder above them.
    var inherited = [ReleaseFile.Role?](repeating: nil, count: found.count)
    for (index, each) in found.enumerated() {
      if let role = inherited[index] {
        // A link that is left out could be followed when the release is published.
        if each.entry.status.kind == .symbolicLink, case .excluded = role {
          _ = try target(of: each, directories[each.root])
        }
        files.append(ReleaseFile(path: each.path, role: role, root: each.root, entry: each.entry))
        continue
      }
      let role = try role(of: index, directories[each.root])
      files.append(ReleaseFile(path: each.path, role: role, root: each.root, entry: each.entry))
      let below: ReleaseFile.Role
      switch role {
      case .directory: below = .part(of: each.path)
      case .excluded where each.entry.status.kind == .directory: below = role
      default: continue
      }
      for index in ReleasePath.range(below: each.path, in: found, by: \.path) { inherited[index] = below }
    }
  }

  /// The role of an entry that is below no folder with a role for all.
  private func role(of index: Int, _ directory: Directory) throws(SignetError) -> ReleaseFile.Role {
    let each = found[index]
    let target: String? =
      each.entry.status.kind == .symbolicLink ? try self.target(of: each, directory) : nil
    if let pattern = exclusions[index] { return .excluded(pattern) }
    if let target { return .link(to: target) }
    switch each.entry.status.kind {
    case .directory:
      let bundles = bundles(of: each.path)
      let isWhole = !bundles.isEmpty || wholes.contains(Array(each.path.utf8))
      return isWhole ? .directory(bundles: bundles) : .folder
    case .regular:
      if let artifact = BundleFile.artifact(of: each.path) { return bundleRole(artifact) }
      let bundles = bundles(of: each.path)
      // One that is signed itself is an artifact of the release.
      return bundles.isEmpty ? attestationRole(each.path) ?? .artifact(bundles: []) : .artifact(bundles: bundles)
    case .symbolicLink, .other:
      throw SignetError(
        .gateSpecialFile, directory.shown(each.entry.path), "is a pipe, a device or a socket",
        expected: "files, folders, and links within the release", hint: "remove it, or exclude it")
    }
  }

  /// The role of a file that is named as an artifact's bundle.
  private func bundleRole(_ artifact: String) -> ReleaseFile.Role {
    guard !isArtifact(artifact) else { return .bundle(of: artifact, isOrphan: false) }
    let label = artifact.utf8.reversed().prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "/") }.reversed()
    let rest = artifact.utf8.dropLast(label.count)
    let subject = String(decoding: rest.dropLast(), as: UTF8.self)
    guard !label.isEmpty, rest.last == UInt8(ascii: "."), isArtifact(subject) else {
      return .bundle(of: artifact, isOrphan: true)
    }
    return .attestation(of: subject, label: String(decoding: label, as: UTF8.self))
  }

  /// The role of a file that is named as other programs name attestations; nil for another name.
  private func attestationRole(_ path: String) -> ReleaseFile.Role? {
    if let subject = AttestationNames.artifact(of: path), isArtifact(subject) {
      return .attestation(of: subject, label: "intoto")
    }
    return AttestationNames.areOfSeveral(path) ? .bundle(of: path, isOrphan: true) : nil
  }

  /// The paths of an artifact's bundles. One that is left out counts as missing.
  private func bundles(of path: String) -> [String] {
    [BundleFile.single(path), BundleFile.several(path)].filter { path in
      guard let index = index(of: path) else { return false }
      return exclusions[index] == nil && found[index].entry.status.kind == .regular
    }
  }

  /// Whether something that must be signed is at a path.
  ///
  /// Nobody verifies the bundle of a file that is left out. So it is a bundle without an artifact, unless it is left
  /// out, too.
  private func isArtifact(_ path: String) -> Bool {
    guard BundleFile.artifact(of: path) == nil, let index = index(of: path), exclusions[index] == nil else {
      return false
    }
    let kind = found[index].entry.status.kind
    return kind == .regular || kind == .directory
  }

  /// The index of what is at a path; nil if nothing is.
  private func index(of path: String) -> Int? {
    let index = ReleasePath.firstIndex(from: path, in: found, by: \.path)
    return index < found.count && found[index].path.isExactly(path) ? index : nil
  }

  /// Where a link leads, within its own folder, through at most ``linkLimit`` links, itself included.
  ///
  /// - Throws: `gate.link`.
  private func target(of link: Found, _ directory: Directory) throws(SignetError) -> String {
    var next = link
    for _ in 0..<Self.linkLimit {
      next = try step(from: next, directory)
      guard next.entry.status.kind == .symbolicLink else { return next.path }
    }
    throw refusal(of: link, directory, "is a link that leads in a circle, or through too many links")
  }

  /// What a link names.
  ///
  /// The scan follows no link. So whatever is found at a path has real folders on its way, and no link.
  private func step(from link: Found, _ directory: Directory) throws(SignetError) -> Found {
    let text = link.entry.target ?? []
    guard text.first != UInt8(ascii: "/") else {
      throw refusal(of: link, directory, "is a link to a path from the root")
    }
    var names = link.path.utf8.split(separator: UInt8(ascii: "/")).dropLast().map { Array($0) }
    var isBelowName = false
    for name in text.split(separator: UInt8(ascii: "/")).map({ Array($0) }) {
      if name == Array("..".utf8) {
        // Behind the name of a link, the system would go up from where that link leads.
        guard !isBelowName else { throw refusal(of: link, directory, "is a link with .. behind a name") }
        guard names.popLast() != nil else {
          throw refusal(of: link, directory, "is a link that leads out of the release")
        }
      } else if name != [UInt8(ascii: ".")] {
        isBelowName = true
        names.append(name)
      }
    }
    guard let path = String(validating: names.joined(separator: [UInt8(ascii: "/")]), as: UTF8.self),
      let index = index(of: path), found[index].root == link.root
    else {
      let isThroughLink = names.indices.dropFirst().contains { isLink(names[..<$0]) }
      throw refusal(
        of: link, directory,
        isThroughLink ? "is a link through another link" : "is a link to nothing in the release")
    }
    return found[index]
  }

  private func refusal(of link: Found, _ directory: Directory, _ message: String) -> SignetError {
    SignetError(
      .gateLink, directory.shown(link.entry.path), message, expected: "a relative link to a file of the release",
      found: String(decoding: link.entry.target ?? [], as: UTF8.self), hint: "replace the link by the file")
  }

  private func isLink(_ names: ArraySlice<[UInt8]>) -> Bool {
    guard let path = String(validating: names.joined(separator: [UInt8(ascii: "/")]), as: UTF8.self),
      let index = index(of: path)
    else { return false }
    return found[index].entry.status.kind == .symbolicLink
  }
}
