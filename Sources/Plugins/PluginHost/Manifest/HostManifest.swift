public import PluginKit
public import Signet
public import SignetBase

/// The manifest of a host, `bundle.json`: which modules it has, and which URIs are theirs.
///
/// Every value has been verified: a signer that the host's policy trusts has signed it.
public struct HostManifest: Sendable {
  /// The only version of the format.
  public static let version = "1.0.0"
  /// The greatest number of entries: as many as a store has modules.
  private static let entryLimit = 1000

  /// The host that the manifest is for.
  public let identifier: ModuleIdentifier
  /// The sequence of the manifest.
  public let sequence: Int
  /// The entries, in the order of the file.
  public private(set) var entries: [Entry]
  /// Fields that have no meaning here, each as `entry.field`. Newer hosts may know them.
  public let unknownFields: [String]

  /// A module of the host, or the host itself, with the URI that belongs to it.
  public struct Entry: Hashable, Sendable {
    /// The URI as it is in the manifest: relative to the host's base, or whole.
    public let uri: String
    /// The package's name; nil for the host itself.
    public let package: String?
    /// The kind of the entry.
    public let kind: ModuleKind
    /// The meanings of paths below the URI, by their keys; nil removes the meaning of a key.
    ///
    /// A key that begins with a dot is an ending: the URI with it belongs to the entry, too.
    public fileprivate(set) var rules: [String: String?]

    /// The module; nil for the host itself, and for a name that is not an identifier.
    public var module: ModuleIdentifier? { kind == .host ? nil : package.flatMap { ModuleIdentifier($0) } }
  }

  /// Reads a manifest from the same bytes that were verified.
  ///
  /// - Throws: `manifest.malformed`, `manifest.version`.
  init(_ proof: VerifiedHostManifest) throws(SignetError) {
    identifier = proof.identifier
    sequence = proof.sequence
    guard let bytes = proof.artifact.bytes else { throw Self.malformed(proof.name, nil) }
    var unknown: [String] = []
    do throws(SignetError) {
      let value = try JSONReader.read(bytes, limits: JSONLimits(size: 1 << 20, depth: 32, values: 50_000))
      var object = try JSONObject(value, "manifest", unknownField: .manifestMalformed, in: bytes)
      let version = try object.string("version")
      guard version.isExactly(Self.version) else {
        throw SignetError(
          .manifestVersion, proof.name, "has a version that this host does not support", expected: Self.version,
          found: version, hint: "use a host that supports it")
      }
      guard object.has("bundles") else { throw object.wrong("bundles", "a list", "none") }
      var entries: [Entry] = []
      for bundle in try object.objects("bundles", atMost: Self.entryLimit) {
        var bundle = bundle
        entries.append(try Entry(&bundle))
        unknown += bundle.names.filter { bundle.has($0) }.map { "bundles[\(entries.count - 1)].\($0)" }
      }
      self.entries = entries
      unknown += object.names.filter { object.has($0) }
    } catch {
      guard error.code != .manifestVersion else { throw error }
      throw Self.malformed(proof.name, error)
    }
    unknownFields = unknown
  }

  private static func malformed(_ name: String, _ cause: SignetError?) -> SignetError {
    SignetError(
      .manifestMalformed, name, "is not a host's manifest", expected: "docs/plugins.md, \"Manifests\"", cause: cause,
      hint: "correct it, and sign it again")
  }
}

extension HostManifest.Entry {
  fileprivate init(_ object: inout JSONObject) throws(SignetError) {
    let uri = try object.string("uri")
    guard !uri.isEmpty else { throw object.wrong("uri", "a URI", "an empty text") }
    self.uri = uri
    let name = try object.optionalString("pkg")
    let type = try object.optionalString("type")
    let isHost = name.map { $0.isExactly("main") } ?? true
    package = isHost ? nil : name
    guard let kind = isHost ? .host : ModuleKind.infer(package: name ?? "", type: type) else {
      throw object.wrong("type", "app, lib or web", type ?? "none")
    }
    self.kind = kind
    var rules: [String: String?] = [:]
    if let list = try object.optionalObject("rules") {
      guard case .object(let members) = list.value.content else {
        throw object.wrong("rules", "an object", "another value")
      }
      for member in members {
        switch member.value.content {
        case .string(let text): rules[member.name] = .some(text)
        case .null: rules[member.name] = .some(nil)
        default: throw object.wrong("rules", "texts, or null", member.value.kind)
        }
      }
    }
    self.rules = rules
  }
}

/// The kind of an entry in a manifest.
public enum ModuleKind: String, Hashable, Sendable {
  /// The host itself.
  case host
  /// A module with code.
  case application
  /// A module with resources only.
  case assets

  /// The kind of a package: what its type says, or else whether its name contains `.app.` or `.lib.`.
  ///
  /// - Returns: nil for an unknown type.
  public static func infer(package: String, type: String? = nil) -> ModuleKind? {
    switch type {
    case "app"?, "lib"?: return .application
    case "web"?: return .assets
    case _?: return nil
    case nil:
      let name = Array(package.utf8)
      let isApplication = [".app.", ".lib."].contains { part in
        name.indices.contains { name[$0...].starts(with: part.utf8) }
      }
      return isApplication ? .application : .assets
    }
  }
}

extension SignetError.Code {
  /// A manifest with an unknown version.
  public static let manifestVersion = Self("manifest.version", .refusal)
}

extension HostManifest.Entry {
  /// The entry's URI as a whole URL; nil if it does not make one.
  ///
  /// - Parameter base: as in ``HostManifest/entry(for:base:)``. A relative URI is resolved against it, as
  ///   `PluginURL.resolve(_:against:)` says.
  public func url(base: String) -> PluginURL? {
    if let whole = try? PluginURL(uri) { return whole }
    return (try? PluginURL.resolve(uri, against: base)).flatMap { try? PluginURL($0) }
  }

  /// The URLs beside ``url(base:)`` that belong to the entry: those of rules for an ending, such as `.html`.
  func aliases(base: String) -> [PluginURL] {
    guard let url = url(base: base) else { return [] }
    let path = url.text.prefix { $0 != "?" && $0 != "#" }
    return rules.filter { $0.value != nil && $0.key.utf8.first == UInt8(ascii: ".") }.keys.sorted()
      .compactMap { try? PluginURL(path + $0) }
  }
}

extension HostManifest {
  /// The same manifest with further rules for every entry. A rule of the entry itself, even one that is null, comes
  /// before one of these with its key.
  ///
  /// - Parameter defaults: the meanings of paths below each URI, by their keys.
  public func withDefaultRules(_ defaults: [String: String]) -> HostManifest {
    var copy = self
    copy.entries = entries.map { entry in
      var entry = entry
      entry.rules = entry.rules.merging(defaults.mapValues { .some($0) }) { own, _ in own }
      return entry
    }
    return copy
  }
}
