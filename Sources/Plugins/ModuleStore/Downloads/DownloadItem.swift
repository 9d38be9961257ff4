public import Signet
package import SignetAddresses
public import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A release of a module that can be fetched, as a store's list offers it.
///
/// An item decides nothing: the archive has to be accepted like any other. But the archive has to match the item, so
/// that the offered release cannot be replaced with an older one on the way.
public struct DownloadItem: Hashable, Sendable {
  /// The identifier of the module.
  public let identifier: ModuleIdentifier
  /// The release's version; nil if any release of the module will do.
  public let version: SemanticVersion?
  /// The release's sequence, if the list gives it.
  public let sequence: Int?
  /// The digest of the archive's bytes, if the list gives it.
  public let sha256: Digest?
  /// The size of the archive in bytes, if the list gives it.
  public let size: Int?
  package let source: DownloadURL
  package let signatureSource: DownloadURL?

  /// The address of the archive.
  public var url: String { source.text }
  /// The address of the archive's bundles; nil if they are in the archive.
  public var signature: String? { signatureSource?.text }

  /// An object with seven texts and numbers, and long URLs.
  private static let limits = JSONLimits(size: 64 << 10, depth: 2, values: 16)

  /// Makes an item.
  ///
  /// - Throws: `fetch.url` for anything but http and https, `fetch.item` for a sequence or size below 1, or a digest
  ///   other than SHA-256.
  public init(
    _ identifier: ModuleIdentifier, version: SemanticVersion, sequence: Int? = nil, url: String,
    signature: String? = nil,
    sha256: Digest? = nil, size: Int? = nil
  ) throws(SignetError) {
    try self.init(
      of: identifier, version: version, sequence: sequence, url: url, signature: signature, sha256: sha256, size: size
    )
  }

  /// Makes an item for whatever release of a module is at an address, because some lists name no release.
  ///
  /// Nothing older than a release that was loaded, or that ships with the host, is installed. But the server can
  /// offer a release that is older than the newest one.
  ///
  /// - Parameters:
  ///   - identifier: the module.
  ///   - url: the address of the archive.
  ///   - signature: the address of the archive's bundles; nil if they are in the archive.
  /// - Throws: `fetch.url` for anything but http and https.
  public init(
    anyReleaseOf identifier: ModuleIdentifier, url: String, signature: String? = nil
  ) throws(SignetError) {
    try self.init(of: identifier, version: nil, sequence: nil, url: url, signature: signature, sha256: nil, size: nil)
  }

  private init(
    of identifier: ModuleIdentifier, version: SemanticVersion?, sequence: Int?, url: String,
    signature: String?, sha256: Digest?, size: Int?
  ) throws(SignetError) {
    guard sequence.map({ $0 >= 1 }) ?? true, size.map({ $0 >= 1 }) ?? true,
      sha256.map({ $0.algorithm == .sha256 }) ?? true
    else {
      throw SignetError(
        .fetchItem, "\(identifier)", "does not describe a download",
        expected: "a sequence and a size from 1 on, a SHA-256")
    }
    self.identifier = identifier
    self.version = version
    self.sequence = sequence
    self.sha256 = sha256
    self.size = size
    source = try DownloadURL(url)
    signatureSource = if let signature { try DownloadURL(signature) } else { nil }
  }

  /// Reads an item: `identifier`, `version` and `url`; optionally `sequence`, `signature` (a URL), `sha256` and `size`.
  ///
  /// - Throws: `fetch.item`, whose cause says where, and `fetch.url`.
  public init(json text: [UInt8]) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(text, limits: Self.limits)
      var object = try JSONObject(value, "item", unknownField: .fetchItem, in: text)
      try self.init(&object)
    } catch {
      throw Self.refused(error)
    }
  }

  /// Reads an item in a list.
  ///
  /// - Parameter needsVersion: whether the item has to name its release.
  package init(_ object: inout JSONObject, needsVersion: Bool = true) throws(SignetError) {
    let name = try object.string("identifier")
    guard let identifier = ModuleIdentifier(name) else {
      throw object.wrong("identifier", "an identifier such as com.example.player", name)
    }
    let number = needsVersion ? try object.string("version") : try object.optionalString("version")
    let version = number.flatMap { SemanticVersion($0) }
    if let number, version == nil { throw object.wrong("version", "a version such as 1.2.0", number) }
    let sequence = object.has("sequence") ? try object.sequence("sequence") : nil
    let url = try object.string("url")
    let signature = try object.optionalString("signature")
    let digest = try object.optionalString("sha256")
    let sha256 = digest.flatMap { Digest(.sha256, hex: $0) }
    if let digest, sha256 == nil { throw object.wrong("sha256", "64 hexadecimal digits", digest) }
    let size = object.has("size") ? try object.sequence("size") : nil
    try object.finish()
    try self.init(
      of: identifier, version: version, sequence: sequence, url: url, signature: signature, sha256: sha256, size: size
    )
  }

  /// The item in the form in which it is read.
  package var json: JSONValue {
    .object(
      ("identifier", .string("\(identifier)")), ("version", version.map { .string("\($0)") }),
      ("sequence", sequence.map { .integer($0) }), ("url", .string(url)),
      ("signature", signature.map { .string($0) }),
      ("sha256", sha256.map { .string($0.hex) }), ("size", size.map { .integer($0) }))
  }

  private static func refused(_ error: SignetError) -> SignetError {
    guard error.code != .fetchURL, error.code != .fetchItem else { return error }
    return SignetError(.fetchItem, error.object, "does not describe a download", cause: error)
  }
}

extension DownloadItem {
  /// The offered release, for messages.
  package var release: String {
    let parts = [version.map { "\($0)" }, sequence.map { "sequence \($0)" }].compactMap(\.self)
    return parts.isEmpty ? "any release" : parts.joined(separator: ", ")
  }

  /// Checks that the bytes are the offered ones.
  ///
  /// - Throws: `fetch.length`, `digest.mismatch`, and errors of reading.
  package func checkArchive(_ archive: RegularFile) throws(SignetError) {
    if let size, archive.size != size {
      throw SignetError(
        .fetchLength, source.shown, "does not have the offered size", expected: "\(size) bytes",
        found: "\(archive.size) bytes")
    }
    guard let sha256 else { return }
    let found = try archive.sha256()
    guard found == sha256 else {
      throw SignetError(
        .digestMismatch, source.shown, "is not the offered file", expected: "\(sha256)", found: "\(found)",
        hint: "download it again, or ask its publisher")
    }
  }

  /// Checks that the module is the offered release.
  ///
  /// - Throws: `fetch.other-release`.
  package func checkModule(_ module: ModuleDescription) throws(SignetError) {
    guard version.map({ $0 == module.version }) ?? true, sequence.map({ $0 == module.sequence }) ?? true else {
      throw SignetError(
        .fetchOtherRelease, source.shown, "is not the offered release", expected: release,
        found: "\(module.version), sequence \(module.sequence)", hint: "ask its publisher")
    }
  }
}
