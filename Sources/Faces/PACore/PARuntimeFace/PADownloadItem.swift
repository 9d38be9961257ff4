public import ModuleStore
public import PACoreFace
internal import Signet
public import SignetBase
internal import SignetCrypto

/// An item of the store's list, with the keys of PARuntime.
///
/// An item is a publisher's word and decides nothing: the archive has to be accepted like any other. A list may also
/// have `sequence`, `sha256` and `size`; then the archive has to match them, too.
public struct PADownloadItem: Hashable, Sendable {
  /// The module's identifier.
  public let identifier: String
  /// The version of the release, such as `1.2.0`; `1` and `1.2` mean `1.0.0` and `1.2.0`.
  public let version: String
  /// The name of the archive.
  public let zipName: String?
  /// What the module's library was called. It has no effect: a module's signed description names its libraries.
  public let frameworkName: String?
  /// The URL of the archive.
  public let remoteURL: String?
  /// The names that the store shows for the module. What the module serves is in its signed description.
  public let resources: [String]
  /// The release's sequence, if the list has it.
  public let sequence: Int?
  /// The URL of the archive's bundles; nil if they are in the archive.
  public let signature: String?
  /// The digest of the archive's bytes, if the list has it.
  public let sha256: String?
  /// The size of the archive in bytes, if the list has it.
  public let size: Int?

  /// The greatest number of names that an item has: as many as a description has routes.
  private static let resourceLimit = 1000

  /// The address that a tap on the item opens: `ui://` and its first name; nil if it has none.
  public var uri: PAURI? { resources.first.flatMap { PAURI("ui://" + $0) } }

  /// The item as the host downloads it.
  ///
  /// - Throws: `fetch.item` if the identifier or the version is not one, or there is no `remoteURL`; `fetch.url` if
  ///   nothing is downloaded from that URL.
  public func offer() throws(SignetError) -> DownloadItem {
    guard let module = ModuleIdentifier(identifier) else {
      throw SignetError(
        .fetchItem, identifier, "is not a valid module identifier",
        expected: "an identifier such as com.example.wechat", hint: "correct the store's list")
    }
    guard let release = SemanticVersion(written: version) else {
      throw SignetError(
        .fetchItem, identifier, "has an invalid version", expected: "a version such as 1.2.0",
        found: version, hint: "correct the store's list")
    }
    guard let remoteURL else {
      throw SignetError(
        .fetchItem, identifier, "has no address to download it from", expected: "remoteURL",
        hint: "add it to the store's list")
    }
    let digest = sha256.flatMap { Digest(.sha256, hex: $0) }
    if let sha256, digest == nil {
      throw SignetError(
        .fetchItem, identifier, "has an invalid digest", expected: "64 hexadecimal digits", found: sha256,
        hint: "correct the store's list")
    }
    return try DownloadItem(
      module, version: release, sequence: sequence, url: remoteURL, signature: signature, sha256: digest, size: size)
  }

  /// The path of the archive in a folder, and the module that it has to be; nil if the item names no archive in it.
  func archive(in folder: String) -> (path: String, module: ModuleIdentifier)? {
    guard let zipName, let module = ModuleIdentifier(identifier), !zipName.utf8.contains(UInt8(ascii: "/")),
      !["", ".", ".."].contains(zipName)
    else { return nil }
    return (folder + "/" + zipName, module)
  }

  /// Reads an item.
  ///
  /// - Parameter unknown: receives the keys that have no meaning here.
  init(_ object: inout JSONObject, unknown: inout [String]) throws(SignetError) {
    identifier = try object.string("identifier")
    version = try object.string("version")
    zipName = try object.optionalString("zipName")
    frameworkName = try object.optionalString("frameworkName")
    remoteURL = try object.optionalString("remoteURL")
    resources = object.has("resources") ? try object.strings("resources", atMost: Self.resourceLimit) : []
    sequence = object.has("sequence") ? try object.sequence("sequence") : nil
    signature = try object.optionalString("signature")
    sha256 = try object.optionalString("sha256")
    size = object.has("size") ? try object.sequence("size") : nil
    unknown += object.names.filter { object.has($0) }.map { object.path(of: $0) }
  }
}

extension PADownloadItem: Decodable {
  private enum CodingKeys: String, CodingKey {
    case identifier, version, zipName, frameworkName, remoteURL, resources, sequence, signature, sha256, size
  }

  /// Reads an item from a dictionary. Keys that have no meaning here are skipped.
  ///
  /// - Throws: `DecodingError` if `identifier` or `version` is missing, or a value has another type.
  public init(from decoder: any Decoder) throws {
    let item = try decoder.container(keyedBy: CodingKeys.self)
    identifier = try item.decode(String.self, forKey: .identifier)
    version = try item.decode(String.self, forKey: .version)
    zipName = try item.decodeIfPresent(String.self, forKey: .zipName)
    frameworkName = try item.decodeIfPresent(String.self, forKey: .frameworkName)
    remoteURL = try item.decodeIfPresent(String.self, forKey: .remoteURL)
    resources = try item.decodeIfPresent([String].self, forKey: .resources) ?? []
    sequence = try item.decodeIfPresent(Int.self, forKey: .sequence)
    signature = try item.decodeIfPresent(String.self, forKey: .signature)
    sha256 = try item.decodeIfPresent(String.self, forKey: .sha256)
    size = try item.decodeIfPresent(Int.self, forKey: .size)
  }
}

extension SemanticVersion {
  /// Reads a version as stores write it: `1` means `1.0.0`, and `1.2` means `1.2.0`.
  init?(written text: String) {
    let missing = 2 - text.utf8.filter { $0 == UInt8(ascii: ".") }.count
    let isPlain = text.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    self.init(isPlain && missing > 0 ? text + String(repeating: ".0", count: missing) : text)
  }
}
