internal import Signet
internal import SignetBase
public import SignetCrypto

extension ModuleSpec {
  /// Where a release's module is, built.
  public struct Binary: Hashable, Sendable {
    /// The address: http or https, without user name, password, query and fragment. The bundle is at this address with
    /// `.sigstore.json` behind it.
    public let url: String
    /// The SHA-256 of the file.
    public let sha256: Digest
  }

  /// The highest sequence: every reader of JSON holds it exactly (docs/format.md, section 10).
  static let sequenceLimit = 1 << 53 - 1
}

extension ModuleSpec.Dependency {
  /// The versions that fit; nil if the text is no range.
  package var range: VersionRange? { VersionRange(versions ?? ">=0.0.0-0") }
}

extension JSONObject {
  /// The identifier of a module.
  mutating func optionalIdentifier(_ name: String) throws(SignetError) -> ModuleIdentifier? {
    guard let text = try optionalString(name) else { return nil }
    guard let identifier = ModuleIdentifier(text) else {
      throw wrong(name, "a module's identifier such as com.example.player", text)
    }
    return identifier
  }

  /// The sequence of a release.
  mutating func optionalSequence(_ name: String) throws(SignetError) -> Int? {
    guard has(name) else { return nil }
    let number = try count(name)
    guard (1...ModuleSpec.sequenceLimit).contains(number) else {
      throw wrong(name, "1 to \(ModuleSpec.sequenceLimit)", "\(number)")
    }
    return number
  }

  /// Where the built module is.
  mutating func optionalBinary(_ name: String) throws(SignetError) -> ModuleSpec.Binary? {
    guard var each = try optionalObject(name) else { return nil }
    let url = try each.text("url", .line, mayBeSecret: true)
    let text = try each.string("sha256")
    guard let digest = Digest(.sha256, hex: text) else {
      throw each.wrong("sha256", "64 lower-case hexadecimal digits", text)
    }
    try each.finish()
    return ModuleSpec.Binary(url: url, sha256: digest)
  }
}

extension ModuleSpec {
  /// Whether a file is one that the module is built from, by its path from the spec's folder.
  package func isSource(_ path: String) -> Bool {
    (sourceFiles + publicHeaderFiles + privateHeaderFiles).contains { $0.covers(path) }
      && !excludeFiles.contains { $0.covers(path) }
  }
}
