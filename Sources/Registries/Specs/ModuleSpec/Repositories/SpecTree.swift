public import Signet
package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// What a repository of specs holds: `NAME/VERSION/NAME.modspec.json`, each perhaps with its bundles beside it: one in
/// `NAME.modspec.json.sigstore.json`, several in `NAME.modspec.json.sigstore.jsonl`, a line each.
///
/// Names that begin with a dot are left out with everything below them, and so are other files, such as a README. A
/// folder that is not a version, a version without its spec, and every link is an error.
public struct SpecTree: Sendable {
  /// A spec of a repository.
  public struct Release: Sendable {
    /// The module's name.
    public let name: String
    /// The release's version.
    public let version: SemanticVersion
    /// The spec's bytes.
    public let spec: [UInt8]
    /// The files of bundles beside the spec, that with one first.
    package let bundles: [BytesInMemory]
    /// The SHA-256 of the spec's bytes.
    public let digest: Digest
    /// The module that the spec is of; nil if it does not say, so that no Modfile finds it.
    let identifier: ModuleIdentifier?

    /// The path of the spec in the repository.
    package var path: String { SpecTree.path(of: name, version) }
  }

  /// The specs, in the order of their paths.
  public let releases: [Release]

  /// Something in a repository.
  package struct Item {
    /// What it is.
    package enum Kind {
      case folder
      case file(size: Int)
      /// A link, a device, or another repository.
      case other
    }

    let path: [UInt8]
    let kind: Kind

    package init(path: [UInt8], kind: Kind) {
      self.path = path
      self.kind = kind
    }
  }

  /// The most files: a large registry has some ten thousand releases.
  package static let itemLimit = 100_000
  /// The most bytes of all specs and bundles: they are in memory at once.
  static let totalLimit = 256 << 20
  /// The most bytes of a file of bundles over a small file.
  static let bundleLimit = 1 << 20

  /// The most things that are left out by name; of others there is only the number.
  static let leftOutLimit = 20

  /// The path of a spec in a repository.
  public static func path(of name: String, _ version: SemanticVersion) -> String {
    "\(name)/\(version)/\(ModuleSpec.fileName(of: name))"
  }

  /// Reads a repository.
  ///
  /// - Parameters:
  ///   - items: everything in it, folders too, or only files.
  ///   - place: the repository's name, for messages.
  ///   - leaveOut: is told why something is left out: a spec that cannot be read, or what does not belong into a
  ///     repository. Without it each is an error. The bounds of the whole repository are an error always.
  ///   - read: reads the files of these paths, in this order.
  /// - Throws: `spec-repo.name`, `spec-repo.version`, `spec-repo.spec`, `spec-repo.link`, `spec-repo.bounds`;
  ///   `spec.malformed`, `spec.unknown-field`; what `read` throws.
  package init(
    _ items: [Item], of place: String, leavingOut leaveOut: ((SignetError) -> Void)? = nil,
    read: ([[UInt8]]) throws(SignetError) -> [[UInt8]]
  ) throws(SignetError) {
    var shelf = Shelf(place: place)
    var leftOut = 0
    func leave(_ error: SignetError) throws(SignetError) {
      guard let leaveOut, !error.object.isExactly(place) else { throw error }
      leftOut += 1
      if leftOut <= Self.leftOutLimit { leaveOut(error) }
    }
    for item in items {
      do throws(SignetError) { try shelf.take(item) } catch { try leave(error) }
    }
    let found = try shelf.found(leavingOut: leave)
    var paths: [[UInt8]] = []
    for each in found {
      paths.append(each.spec)
      paths += each.bundles
    }
    var texts = try read(paths)[...]
    var releases: [Release] = []
    for each in found {
      guard let text = texts.popFirst() else { break }
      let bundles = zip(each.bundles, texts).map {
        BytesInMemory($1, path: "\(place)/\(String(decoding: $0, as: UTF8.self))")
      }
      texts = texts.dropFirst(bundles.count)
      do throws(SignetError) { releases.append(try each.release(text, bundles, place)) } catch { try leave(error) }
    }
    if leftOut > Self.leftOutLimit {
      leaveOut?(
        SignetError(
          .specRepositorySpec, place, "has more that is left out", found: "\(leftOut - Self.leftOutLimit) more",
          hint: "ask the owner of the repository"))
    }
    self.releases = releases
  }
}

/// The versions of a repository while its items are read.
private struct Shelf {
  struct Found {
    let name: String
    let version: SemanticVersion
    let spec: [UInt8]
    let bundles: [[UInt8]]
  }

  private struct Version {
    let name: String
    let version: SemanticVersion
    var spec: [UInt8]?
    var bundles: [[UInt8]] = []
  }

  let place: String
  /// The folders of versions, by the bytes of their paths: names that only look the same are two.
  private var versions: [[UInt8]: Version] = [:]
  private var total = 0
  private var count = 0

  init(place: String) { self.place = place }

  mutating func take(_ item: SpecTree.Item) throws(SignetError) {
    let names = item.path.split(separator: UInt8(ascii: "/")).map(Array.init)
    guard !names.contains(where: { $0.first == UInt8(ascii: ".") }) else { return }
    count += 1
    guard count <= SpecTree.itemLimit else {
      throw SignetError(
        .specRepositoryBounds, place, "has too many files", expected: "at most \(SpecTree.itemLimit)")
    }
    if case .other = item.kind {
      throw SignetError(
        .specRepositoryLink, shown(item.path), "is a link, or no file at all",
        expected: "files and folders", hint: "ask the owner of the repository to remove it")
    }
    guard let texts = texts(names) else {
      throw SignetError(
        .specRepositoryName, shown(item.path), "has a name that no module has", expected: SpecText.name.meaning,
        hint: "ask the owner of the repository to rename it")
    }
    var isFolder = false
    if case .folder = item.kind { isFolder = true }
    // Other files in the repository and in the folder of a module are for people.
    guard texts.count > 2 || texts.count == 2 && isFolder else {
      if texts.count == 2 || isFolder { try checkName(texts[0], item.path) }
      return
    }
    try checkName(texts[0], item.path)
    let folder = "\(texts[0])/\(texts[1])"
    var version =
      if let known = versions[Array(folder.utf8)] { known } else {
        Version(name: texts[0], version: try version(texts[1], folder))
      }
    if texts.count == 3, case .file(let size) = item.kind {
      let spec = ModuleSpec.fileName(of: texts[0])
      if texts[2].isExactly(spec) {
        try checkSize(size, ModuleSpec.sizeLimit, item.path)
        version.spec = item.path
      } else if [BundleFile.single(spec), BundleFile.several(spec)].contains(where: { texts[2].isExactly($0) }) {
        try checkSize(size, SpecTree.bundleLimit, item.path)
        version.bundles.append(item.path)
      }
    }
    versions[Array(folder.utf8)] = version
  }

  func found(leavingOut leave: (SignetError) throws(SignetError) -> Void) throws(SignetError) -> [Found] {
    var found: [Found] = []
    for (folder, version) in versions.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard let spec = version.spec else {
        try leave(
          SignetError(
            .specRepositorySpec, shown(folder), "has no spec",
            expected: ModuleSpec.fileName(of: version.name), hint: "ask the owner of the repository"))
        continue
      }
      found.append(
        Found(
          name: version.name, version: version.version, spec: spec,
          // The file with one comes first: its name is the shorter one.
          bundles: version.bundles.sorted { $0.count < $1.count }))
    }
    return found
  }

  private func texts(_ names: [[UInt8]]) -> [String]? {
    var texts: [String] = []
    for name in names {
      guard let text = String(validating: name, as: UTF8.self), text.utf8.count <= 255,
        text.unicodeScalars.allSatisfy({ $0.isVisible || $0 == " " })
      else { return nil }
      texts.append(text)
    }
    return texts.isEmpty ? nil : texts
  }

  private func checkName(_ name: String, _ path: [UInt8]) throws(SignetError) {
    guard !SpecText.name.allows(name) || name.utf8.contains(UInt8(ascii: " ")) else { return }
    throw SignetError(
      .specRepositoryName, shown(path), "has a name that no module has",
      expected: "1 to 240 bytes without space, which do not begin with a dot", found: name,
      hint: "ask the owner of the repository to rename it")
  }

  private func version(_ text: String, _ folder: String) throws(SignetError) -> SemanticVersion {
    guard let version = SemanticVersion(text), "\(version)".isExactly(text) else {
      throw SignetError(
        .specRepositoryVersion, "\(place)/\(folder)", "is not a version", expected: "a folder such as 1.4.2",
        found: text, hint: "ask the owner of the repository to rename or remove it")
    }
    return version
  }

  private mutating func checkSize(_ size: Int, _ limit: Int, _ path: [UInt8]) throws(SignetError) {
    guard size <= limit else {
      throw SignetError(
        .specRepositoryBounds, shown(path), "is too long", expected: "at most \(limit) bytes", found: "\(size) bytes",
        hint: "ask the owner of the repository")
    }
    total += size
    guard total <= SpecTree.totalLimit else {
      throw SignetError(
        .specRepositoryBounds, place, "has too many bytes of specs", expected: "at most \(SpecTree.totalLimit)",
        hint: "ask the owner of the repository to split it")
    }
  }

  private func shown(_ path: [UInt8]) -> String { "\(place)/\(String(decoding: path, as: UTF8.self))" }
}

extension Shelf.Found {
  fileprivate func release(
    _ text: [UInt8], _ bundles: [BytesInMemory], _ place: String
  ) throws(SignetError) -> SpecTree.Release {
    let path = "\(place)/\(String(decoding: spec, as: UTF8.self))"
    let read: ModuleSpec
    do throws(SignetError) { read = try ModuleSpec(json: text) } catch {
      throw error.about("\(path): \(error.object)")
    }
    guard read.name.isExactly(name), "\(read.version)".isExactly("\(version)") else {
      throw SignetError(
        .specRepositorySpec, path, "is the spec of another release", expected: "\(name) \(version)",
        found: "\(read.name) \(read.version)", hint: "ask the owner of the repository")
    }
    return SpecTree.Release(
      name: name, version: version, spec: text, bundles: bundles, digest: try Digest.of(text, .sha256),
      identifier: read.identifier)
  }
}
