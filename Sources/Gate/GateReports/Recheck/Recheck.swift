internal import ReleaseGate
internal import Signet
internal import SignetArchive
public import SignetBase
internal import SignetCrypto
public import SignetSystem

/// Confirms that a release is still what a report says of it, just before an upload.
public struct Recheck: Sendable {
  private let listing: JSONReport.Listing

  /// Takes what a report says.
  ///
  /// - Parameter listing: the files of the report. Nothing proves that a report is authentic, so take it from a trusted place.
  public init(_ listing: JSONReport.Listing) { self.listing = listing }

  /// Something below a folder.
  private struct Found {
    let path: String
    let root: Int
    let entry: DirectoryScan.Entry

    var mode: UInt32 { entry.status.mode }
  }

  /// Compares folders with the report: which files and folders there are, their bytes, where links lead, and modes.
  ///
  /// - Parameters:
  ///   - folders: the release's folders, in the order in which they were checked.
  ///   - progress: counts the bytes as they are hashed.
  /// - Returns: every difference, sorted by path: `gate.changed`. Also `gate.refused` if the report says that the
  ///   release was refused.
  /// - Throws: if that could not be found out: `path.…`, `directory.…`, `file.…`,
  ///   `crypto.failure`.
  public func differences(
    in folders: [String], progress: ProgressCounter? = nil
  ) throws(SignetError) -> [SignetError] {
    var reasons: [SignetError] = []
    if !listing.isClean {
      reasons.append(
        SignetError(
          .gateRefused, "report", "says that the release was refused", expected: "a clean release",
          hint: "correct what the report says, and check the release again"))
    }
    let roots = try ReleaseFiles.scan(folders)
    // Anyone who may write the folder itself may put files into it, also after this check.
    for (expected, root) in zip(listing.rootModes, roots) {
      if let reason = Self.modeDifference(root.directory.path, expected, root.scan.mode) { reasons.append(reason) }
    }
    reasons += try compare(Self.found(in: roots), roots, progress)
    for root in roots { try root.scan.checkUnchanged(root.directory, limits: ReleaseFiles.limits) }
    return reasons
  }

  private static func found(in roots: [ReleaseFiles.Root]) throws(SignetError) -> [Found] {
    var found: [Found] = []
    for (number, root) in roots.enumerated() {
      for entry in root.scan.entries {
        found.append(Found(path: try ReleaseFiles.name(of: entry, in: root.directory), root: number, entry: entry))
      }
    }
    found.sort { $0.path.precedesInBytes($1.path) }
    return found
  }

  private func compare(
    _ found: [Found], _ roots: [ReleaseFiles.Root], _ progress: ProgressCounter?
  ) throws(SignetError) -> [SignetError] {
    // What is below a directory that is signed as a whole belongs to that directory.
    var isPart = [Bool](repeating: false, count: found.count)
    for entry in listing.entries where entry.kind == .directory {
      for index in ReleasePath.range(below: entry.path, in: found, by: \.path) { isPart[index] = true }
    }
    var files: [(found: Found, expected: JSONReport.Listing.Entry)] = []
    var folders: [Found] = []
    var reasons: [SignetError] = []
    var next = 0
    for (index, each) in found.enumerated() where !isPart[index] {
      while next < listing.entries.count, listing.entries[next].path.precedesInBytes(each.path) {
        reasons.append(Self.difference(listing.entries[next].path, "is missing"))
        next += 1
      }
      guard next < listing.entries.count, listing.entries[next].path.isExactly(each.path) else {
        if each.entry.status.kind == .directory {
          folders.append(each)
        } else {
          reasons.append(Self.difference(each.path, "was added"))
        }
        continue
      }
      let expected = listing.entries[next]
      next += 1
      if let reason = try difference(of: each, from: expected, roots[each.root].directory, progress) {
        reasons.append(reason)
      } else if expected.kind == .file {
        files.append((each, expected))
      }
    }
    reasons += listing.entries[next...].map { Self.difference($0.path, "is missing") }
    reasons += differences(ofFolders: folders)
    for (number, root) in roots.enumerated() {
      let own = files.filter { $0.found.root == number }
      let digests = try root.directory.sha256(of: own.map(\.found.entry), progress: progress)
      for (file, digest) in zip(own, digests) where digest != file.expected.sha256 {
        reasons.append(
          Self.difference(
            file.expected.path, "was changed", expected: file.expected.sha256.hex, found: digest.hex))
      }
    }
    return reasons.sorted { $0.object.precedesInBytes($1.object) }
  }

  /// Compares the folders that are no artifacts.
  private func differences(ofFolders found: [Found]) -> [SignetError] {
    var reasons: [SignetError] = []
    forEachPair(
      listing.folders.map { (path: $0.path, mode: $0.mode) }, found.map { (path: $0.path, mode: $0.mode) }, by: \.path
    ) { expected, found in
      switch (expected, found) {
      case (let expected?, let found?):
        if let reason = Self.modeDifference(expected.path, expected.mode, found.mode) { reasons.append(reason) }
      case (let expected?, nil): reasons.append(Self.difference(expected.path, "is missing"))
      case (nil, let found?): reasons.append(Self.difference(found.path, "was added"))
      case (nil, nil): break
      }
    }
    return reasons
  }

  /// How an entry differs from the report. The bytes of files are left out: they are hashed together, on all cores. So
  /// are those of a directory by its listing.
  private func difference(
    of found: Found, from expected: JSONReport.Listing.Entry, _ root: Directory, _ progress: ProgressCounter?
  ) throws(SignetError) -> SignetError? {
    let kind = GateReport.File.Kind(found.entry.status.kind)
    guard kind == expected.kind else {
      return Self.difference(
        expected.path, "is of another kind", expected: expected.kind.rawValue, found: kind.rawValue)
    }
    if let mode = expected.mode, let reason = Self.modeDifference(expected.path, mode, found.mode) { return reason }
    switch kind {
    case .special: return nil
    case .file:
      guard found.entry.status.size != expected.size else { return nil }
      return Self.difference(
        expected.path, "was changed", expected: "\(expected.size) bytes", found: "\(found.entry.status.size) bytes")
    case .link:
      let digest = try Digest.of(found.entry.target ?? [], .sha256)
      guard digest != expected.sha256 else { return nil }
      return Self.difference(
        expected.path, "leads elsewhere", expected: "a target with the SHA-256 \(expected.sha256.hex)",
        found: String(decoding: found.entry.target ?? [], as: UTF8.self))
    case .directory:
      var directory = root
      for name in ReleasePath.names(of: found.path) { directory = try directory.subdirectory(name) }
      let digest = try DirectoryListing(of: directory, progress: progress).digest
      guard digest != expected.sha256 else { return nil }
      return Self.difference(
        expected.path, "was changed", expected: "a listing with the SHA-256 \(expected.sha256.hex)",
        found: digest.hex)
    }
  }

  private static func modeDifference(_ path: String, _ expected: UInt32, _ found: UInt32) -> SignetError? {
    guard expected != found else { return nil }
    return difference(
      path, "has other permissions", expected: FileMode.text(expected), found: FileMode.text(found))
  }

  private static func difference(
    _ path: String, _ message: String, expected: String? = nil, found: String? = nil
  ) -> SignetError {
    SignetError(
      .gateChanged, path, message, expected: expected, found: found,
      hint: "find out who changed it; then check the release again with signet gate")
  }
}

extension GateReport.File.Kind {
  fileprivate init(_ kind: FileStatus.Kind) {
    switch kind {
    case .regular: self = .file
    case .directory: self = .directory
    case .symbolicLink: self = .link
    case .other: self = .special
    }
  }
}
