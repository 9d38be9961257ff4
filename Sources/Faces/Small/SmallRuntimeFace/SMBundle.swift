public import PluginHost
public import PluginKit
public import Signet
public import SignetBase

/// The kind of a bundle, with Small's numbers.
public enum SMBundleType: Int, Hashable, Sendable {
  /// A page of the web, which no module serves.
  case none
  /// The host itself.
  case host
  /// A module with code.
  case application
  /// A module with resources only.
  case assets

  init(_ kind: ModuleKind) {
    self =
      switch kind {
      case .host: .host
      case .application: .application
      case .assets: .assets
      }
  }
}

/// A bundle of the manifest: a module of the host, or the host itself.
///
/// It holds what the manifest says. Everything else is the host's answer at that time.
public struct SMBundle: Sendable {
  /// The host that has the bundle.
  public let host: PluginHost
  /// The name of the package, which is the module's identifier; nil for the host itself, and for a page of the web.
  public let pkg: String?
  /// The URI, resolved against the base URI.
  public let uri: String
  /// The kind of the bundle.
  public let type: SMBundleType
  /// The rules: a target for each key (``SMRules``).
  public let rules: [String: String]
  /// The module; nil for the host itself, a page of the web, and a name that no module can have.
  public let identifier: ModuleIdentifier?

  init(_ entry: HostManifest.Entry, uri: String, rules: [String: String], of host: PluginHost) {
    self.host = host
    self.uri = uri
    self.rules = rules
    pkg = entry.package
    type = SMBundleType(entry.kind)
    identifier = entry.module
  }

  /// A bundle for a page of the web.
  init(web url: String, of host: PluginHost) {
    self.host = host
    uri = url
    rules = [:]
    pkg = nil
    type = .none
    identifier = nil
  }

  /// What tells the bundle from all others of its manifest. Two may have the same URI.
  var key: String { "\(pkg ?? "main") \(uri)" }

  /// The owner of the bundle's pages.
  public var owner: ModuleOwner { identifier.map { .module("\($0)") } ?? .host }
  /// The module in use; nil if it is not loaded, and for the host itself.
  public var module: LoadedModule? { identifier.flatMap { host.loaded($0) } }
  /// Whether the bundle can be opened: its module is loaded, or it is the host itself.
  ///
  /// A module of resources that was loaded can be refused later. Then it has a release, and cannot be opened.
  public var isLoaded: Bool { type == .host || module != nil && status == .loaded }
  /// The status of the module.
  public var status: ModuleStatus { type == .host ? .loaded : identifier.map { host.status(of: $0) } ?? .none }
  /// Why the module is refused or failed; nil for any other.
  public var reason: SignetError? { identifier.flatMap { host.reason(of: $0) } }
  /// The version of the release in use, for people; nil without one.
  public var versionName: String? { module.map { "\($0.module.version)" } }
  /// The sequence of the release in use, which orders releases; nil without one.
  public var versionCode: String? { module.map { "\($0.sequence)" } }

  /// What the bundle was called on iOS: `com_example_app_main.framework`, or `.bundle` without code. An identifier has
  /// no `_`, so no two bundles share a name.
  public var bundleName: String? {
    identifier.map { module in
      "\(module)".split(separator: ".", omittingEmptySubsequences: false).joined(separator: "_")
        + (type == .assets ? ".bundle" : ".framework")
    }
  }

  /// Whether the module has a resource with this path, such as `index.html`.
  public func hasResource(_ path: String) -> Bool {
    module?.resources.contains { $0.utf8.elementsEqual(path.utf8) } ?? false
  }
}
