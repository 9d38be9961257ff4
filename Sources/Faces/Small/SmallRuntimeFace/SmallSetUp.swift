internal import PluginHost
internal import PluginKit
public import Signet
public import SignetBase
internal import SignetSystem

/// The setup of a host: it reads the manifest, loads what it names, and registers its rules.
///
/// A second setup loads only what is not loaded yet, and takes the rules of the manifest that is there by then.
extension Small {
  /// Sets up the host, and waits for it.
  ///
  /// If the version of the application has changed, this first removes the modules and the manifest that were fetched.
  /// Floors stay. Patches in `temp/` are verified and installed. Then the fetched manifest is read, or else the one that
  /// ships with the host, and its modules are loaded in its order.
  ///
  /// - Parameter leftOut: modules that are not loaded (`PluginHost.start(without:)`).
  /// - Returns: ``allBundles``.
  /// - Throws: if both manifests are refused, why the second one is (``SMBundleLoaderError``); `host.identifier`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func setUp(
    without leftOut: Set<ModuleIdentifier> = []
  ) throws(SignetError) -> [SMBundle] {
    if isNewVersion { keepVersion(Result { () throws(SignetError) in try host.removeFetched() }) }
    for patch in patches.all({ host.tell($0) }) {
      // Why a patch is not installed was told. One that is not at fault waits for the next start.
      _ = try? install(patch)
    }
    let manifest = try host.manifest(user: files.fetchedManifest, embedded: files.manifest)
    let base = base
    host.start(manifest.withDefaultRules(SMRules.defaults), base: base, without: leftOut)
    return use(manifest, base)
  }

  /// Sets up the host, for tasks.
  ///
  /// - Parameter leftOut: modules that are not loaded.
  /// - Returns: ``allBundles``.
  /// - Throws: as `setUp(without:)`.
  @discardableResult public func setUp(
    without leftOut: Set<ModuleIdentifier> = []
  ) async throws(SignetError) -> [SMBundle] {
    if isNewVersion {
      let result: Result<[ModuleIdentifier], SignetError>
      do throws(SignetError) { result = .success(try await host.removeFetched()) } catch { result = .failure(error) }
      keepVersion(result)
    }
    for patch in patches.all({ host.tell($0) }) {
      // As above.
      _ = try? await install(patch)
    }
    let manifest = try await host.manifest(user: files.fetchedManifest, embedded: files.manifest)
    let base = base
    await host.start(manifest.withDefaultRules(SMRules.defaults), base: base, without: leftOut)
    return use(manifest, base)
  }

  /// Sets up the host, and does not wait.
  ///
  /// - Parameters:
  ///   - leftOut: modules that are not loaded.
  ///   - completion: called once, on the main actor, when all bundles are resolved: with ``allBundles``, or with the
  ///     error if both manifests are refused.
  public func setUp(
    without leftOut: Set<ModuleIdentifier> = [],
    completion: @escaping @MainActor @Sendable (Result<[SMBundle], SignetError>) -> Void
  ) {
    Task {
      let result: Result<[SMBundle], SignetError>
      do throws(SignetError) { result = .success(try await self.setUp(without: leftOut)) } catch {
        result = .failure(error)
      }
      await completion(result)
    }
  }

  // MARK: The version of the application

  private var isNewVersion: Bool {
    let isNew: Bool
    do throws(SignetError) {
      isNew = try defaults.hostVersion.map { !$0.utf8.elementsEqual(configuration.version.utf8) } ?? true
    } catch {
      // What was fetched stays. The next start may be able to read the version.
      host.tell(error)
      return false
    }
    // It stays so until the program ends, however often it is set up.
    if isNew { state.withLock { $0.isLaunchingNewHostApp = true } }
    return isNew
  }

  /// Keeps the version once everything of the last one is gone. What was interrupted or fails is told, and repeated at
  /// the next start.
  private func keepVersion(_ removal: Result<[ModuleIdentifier], SignetError>) {
    do throws(SignetError) {
      _ = try removal.get()
      try files.removeFetched { host.tell($0) }
      try defaults.setHostVersion(configuration.version)
    } catch { host.tell(error) }
  }

  // MARK: Rules

  /// Takes the rules of a manifest whose modules are loaded, and lets launchers take its bundles.
  private func use(_ manifest: HostManifest, _ base: String) -> [SMBundle] {
    let table = SMBundleTable(
      manifest, base: base, entranceAppliesToAliases: configuration.entranceAppliesToAliases, of: host)
    // One setup at a time: another one's routes are not those of the last setup. One that was overtaken while it loaded
    // modules changes nothing: the rules are those of the manifest that the host goes by.
    setups.withLock { count in
      guard host.isInUse(manifest.withDefaultRules(SMRules.defaults), base: base) else { return }
      count += 1
      state.withLock { state in
        state.table = table
        state.applicable = [:]
      }
      register(table)
    }
    let bundles = allBundles
    for bundle in bundles { resolve(bundle) }
    return bundles
  }

  /// Registers a route for each URL that a rule is for, and removes those of the last setup.
  private func register(_ table: SMBundleTable) {
    let router = host.switchboard.router
    var options = RouteOptions(equals: .replaced)
    options.matcher = { [weak self] request in self?.match(request.url).map { [Self.matchKey: $0] } }
    var routes: [Router.Registration] = []
    for (url, bundle) in table.urls {
      guard let pattern = try? RoutePattern(of: url, andBelow: false) else { continue }
      // A module that declares the URL serves it by itself.
      guard bundle.identifier.map({ !host.declares(pattern, $0) }) ?? true else { continue }
      do {
        routes.append(
          try router.register(pattern, owner: .host, options: options, target: self) { small, request in
            try small.page(request)
          })
      } catch {
        // The other bundles are opened all the same, and this one by its other addresses.
        host.tell(
          SignetError(
            .hostDeclaration, bundle.pkg ?? "the host", "has a rule for which no route can be registered",
            cause: error))
      }
    }
    let last = state.withLock { state in
      defer { state.routes = routes }
      return state.routes
    }
    for route in last { router.remove(route) }
  }

  /// The key of what the router's search has found, among the values that only it gives.
  static let matchKey = "small.match"
}
