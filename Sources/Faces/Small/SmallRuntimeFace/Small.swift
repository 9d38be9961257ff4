internal import ModuleStore
public import PluginHost
public import PluginKit
internal import Signet
internal import SignetSystem

/// Small's calls for a host.
///
/// ```swift
/// let small = Small(host, Small.Configuration(main: "app", documents: "documents", version: "1.0"))
/// small.setBaseUri("http://m.example.com/demo/")
/// try await small.setUp()
/// try await small.openUri("main")
/// ```
///
/// The host verifies, installs and loads the modules that `bundle.json` names, and its router finds their pages. Small
/// adds to them what the manifest's rules say. Keep the value as long as the host: its routes and actions end with it.
public final class Small: Sendable {
  /// Where a host with Small's calls has its files, and what it decides.
  public struct Configuration: Sendable {
    /// The folder with what ships with the application. Its `bundle.json` is the manifest that ships with the host.
    public var main: String
    /// The folder with what was fetched. `bundles/bundle.json` in it is the fetched manifest, `temp/PKG.zip` is a patch
    /// for the next start, and `small.json` is what Small remembers.
    public var documents: String
    /// The version of the application. When it changes, modules that were fetched are removed.
    public var version: String
    /// Whether a rule for a bundle's URI itself is also for the URI with `.html`, `/index` and `/index.html`.
    public var entranceAppliesToAliases = true
    /// What opens bundles, in the order in which it is asked.
    public var launchers: [any SMBundleLauncher] = [SMAppBundleLauncher()]

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - main: the folder with what ships with the application.
    ///   - documents: the folder with what was fetched. It is made if it is missing.
    ///   - version: the version of the application.
    public init(main: String, documents: String, version: String) {
      self.main = main
      self.documents = documents
      self.version = version
    }
  }

  struct State {
    var base: String?
    var launchers: [any SMBundleLauncher]
    var table = SMBundleTable()
    /// The launcher of each bundle, by the bundle's key.
    var applicable: [String: any SMBundleLauncher] = [:]
    var routes: [Router.Registration] = []
    var mode: SMBundleUpgradeMode = [.setup, .background]
    var isLaunchingNewHostApp = false
  }

  /// The host that verifies, installs and loads the modules.
  public let host: PluginHost
  /// Where files are, and what was decided.
  public let configuration: Configuration

  let state: Monitor<State>
  /// How many setups there were. One registers its rules at a time.
  let setups = Monitor(0)
  let files: SMFiles
  let defaults: SMDefaults
  let patches: SMPatches

  /// Makes a value for a host. Make one for a host.
  ///
  /// - Parameters:
  ///   - host: the host, whose configuration has its identifier. Nothing is loaded yet.
  ///   - configuration: where files are.
  public init(_ host: PluginHost, _ configuration: Configuration) {
    self.host = host
    self.configuration = configuration
    files = SMFiles(configuration)
    defaults = SMDefaults(files)
    patches = SMPatches(in: files.patches)
    state = Monitor(State(launchers: configuration.launchers))
    // A module finds Small by this service. A second value for a host is not found: the first one stays.
    try? host.switchboard.services.provide((any SMOpener).self, owner: .host, weak: self)
  }

  // MARK: URIs

  /// What relative URIs are relative to; nil if there is no base. The bundles' own URIs are resolved by setup, so set it
  /// before that.
  public var baseUri: String? {
    get { state.withLock { $0.base } }
    set { state.withLock { $0.base = newValue } }
  }

  /// Sets what relative URIs are relative to, such as `http://m.example.com/demo/`; nil if there is no base.
  public func setBaseUri(_ uri: String?) { baseUri = uri }

  /// A URI resolved against the base URI (RFC 3986, section 5). Without a base it is returned as it is.
  ///
  /// - Returns: nil if the base has no scheme, or a text is too long.
  public func absoluteUri(fromUri uri: String) -> String? {
    guard let base = baseUri else { return uri }
    return try? PluginURL.resolve(uri, against: base)
  }

  /// What URIs are relative to if there is no base. So they are URLs for the router, too.
  private static let place = "ui://"

  /// The base against which bundles are resolved.
  var base: String { baseUri ?? Self.place }

  /// A URI as the router's URL.
  func url(_ uri: String) throws(PluginError) -> String { try PluginURL.resolve(uri, against: base) }

  // MARK: Bundles

  /// The bundles that can be opened, in the order of the manifest. Those whose module is missing, refused or failed are
  /// not among them.
  public var allBundles: [SMBundle] { state.withLock { $0.table.bundles }.filter(\.isLoaded) }

  /// All bundles that the manifest names, in its order.
  public var manifestBundles: [SMBundle] { state.withLock { $0.table.bundles } }

  /// Rules of the manifest that are not valid and have no effect, and why.
  public var invalidRules: [(rule: String, error: PluginError)] { state.withLock { $0.table.faults } }

  /// The bundle of a package, if it can be opened.
  public func bundle(forName name: String) -> SMBundle? {
    allBundles.first { $0.pkg?.utf8.elementsEqual(name.utf8) ?? false }
  }

  /// What a URI stands for; nil if no bundle that can be opened has a rule for it.
  public func match(forUri uri: String) -> SMMatch? {
    guard let text = try? url(uri), let url = try? PluginURL(text) else { return nil }
    return match(url)
  }

  func match(_ url: PluginURL) -> SMMatch? {
    guard let match = state.withLock({ $0.table }).match(url), match.bundle.isLoaded else { return nil }
    return match
  }

  /// The versions of the bundles that are open, by their packages. A bundle without a version is not among them.
  ///
  /// They are those of the loaded modules, so there is nothing to set.
  public var bundleVersions: [String: String] {
    var versions: [String: String] = [:]
    for bundle in allBundles where launcher(of: bundle) != nil {
      if let pkg = bundle.pkg, let version = bundle.versionCode { versions[pkg] = version }
    }
    return versions
  }

  /// Whether this is the first start of this version of the application. Setup finds out.
  public var isLaunchingNewHostApp: Bool { state.withLock { $0.isLaunchingNewHostApp } }

  // MARK: Launchers

  /// Adds a launcher, which is asked after those before. Add it before setup.
  public func registerLauncher(_ launcher: any SMBundleLauncher) {
    state.withLock { $0.launchers.append(launcher) }
  }

  /// The launcher that has taken a bundle; nil if none has.
  public func launcher(of bundle: SMBundle) -> (any SMBundleLauncher)? {
    if let known = state.withLock({ $0.applicable[bundle.key] }) { return known }
    guard bundle.isLoaded || bundle.type == .none else { return nil }
    return resolve(bundle)
  }

  /// Asks the launchers to take a bundle, in their order.
  @discardableResult func resolve(_ bundle: SMBundle) -> (any SMBundleLauncher)? {
    guard let launcher = state.withLock({ $0.launchers }).first(where: { $0.preloadBundle(bundle) }) else {
      return nil
    }
    launcher.loadBundle(bundle)
    if bundle.type != .none { state.withLock { $0.applicable[bundle.key] = launcher } }
    return launcher
  }
}
