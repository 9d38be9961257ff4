internal import Signet
internal import SignetBase
internal import SignetCrypto

/// The digests of specs, a line for each: of those that a repository had when it was last looked at, or of those that were
/// pushed from here since.
struct SpecDigests {
  /// By the bytes of the name and the version.
  private var digests: [[UInt8]: String]

  /// The most bytes of the text: `SpecTree.itemLimit` lines of the longest names.
  static let sizeLimit = 64 << 20

  init(_ tree: SpecTree) {
    digests = Dictionary(
      tree.releases.map { (Self.key($0.name, $0.version), $0.digest.hex) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func key(_ name: String, _ version: SemanticVersion) -> [UInt8] { Array("\(name) \(version)".utf8) }

  /// The same specs and another one.
  func adding(_ name: String, _ version: SemanticVersion, _ digest: Digest) -> SpecDigests {
    var specs = self
    specs.digests[Self.key(name, version)] = digest.hex
    return specs
  }

  var count: Int { digests.count }

  /// How many specs there are in one of two lists at least.
  func count(with other: SpecDigests) -> Int { Set(digests.keys).union(other.digests.keys).count }

  var text: [UInt8] {
    sorted(digests.keys).flatMap { $0 + Array(" \(digests[$0] ?? "")\n".utf8) }
  }

  init(_ text: [UInt8], _ file: String) throws(SignetError) {
    var digests: [[UInt8]: String] = [:]
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count == 3, SemanticVersion(words[1]) != nil, Digest(.sha256, hex: words[2]) != nil else {
        throw SignetError(
          .specRepositoryMalformed, file, "is not a list of specs", found: String(decoding: line, as: UTF8.self),
          hint: "remove the repository and add it again")
      }
      digests[Array("\(words[0]) \(words[1])".utf8)] = words[2]
    }
    self.digests = digests
  }

  /// What differs in another list, by name and version.
  func changes(to new: SpecDigests) -> [SpecChange] {
    sorted(Set(digests.keys).union(new.digests.keys)).compactMap { bytes in
      let spec = String(decoding: bytes, as: UTF8.self)
      return switch (digests[bytes], new.digests[bytes]) {
      case (nil, .some): SpecChange(kind: .added, spec: spec)
      case (.some, nil): SpecChange(kind: .removed, spec: spec)
      case (let old, let new): old == new ? nil : SpecChange(kind: .changed, spec: spec)
      }
    }
  }

  private func sorted(_ specs: some Sequence<[UInt8]>) -> [[UInt8]] {
    specs.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// What an update has brought.
public struct SpecChange: Sendable, Equatable {
  /// What has happened to a spec.
  public enum Kind: String, Sendable {
    /// It was not there before.
    case added
    /// Its bytes are others than before, although a version keeps its bytes.
    case changed
    /// It is there no longer.
    case removed
  }

  /// What has happened.
  public let kind: Kind
  /// The module's name and the version, with a space between them.
  public let spec: String

  /// Changes are equal if their bytes are.
  public static func == (left: SpecChange, right: SpecChange) -> Bool {
    left.kind == right.kind && left.spec.isExactly(right.spec)
  }
}
