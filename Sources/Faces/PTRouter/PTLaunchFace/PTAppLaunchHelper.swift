public import Dispatch
internal import PTRouterFace
public import PluginKit
internal import PropertyLists

/// What a host does at its start by its launch files.
///
/// ```swift
/// await host.start()
/// let helper = PTAppLaunchHelper(host.switchboard, .signed(in: "launch", by: host))
/// try helper.autoRegistDataModules()
/// for failure in try await helper.autoInitModule().failures { print(failure) }
/// try helper.autoRegistURL()
/// ```
///
/// A file names classes. A class is what a module registered that was verified and loaded, under a name that its signed
/// description declares. Nothing else is reached. The helper keeps nothing: objects, routes and services are where
/// PluginKit keeps those of the host.
public struct PTAppLaunchHelper: Sendable {
  private let switchboard: Switchboard
  private let files: PTLaunchFiles

  /// Makes a helper.
  ///
  /// - Parameters:
  ///   - switchboard: the host's switchboard.
  ///   - files: where the launch files are, and whether they are signed.
  public init(_ switchboard: Switchboard, _ files: PTLaunchFiles) {
    self.switchboard = switchboard
    self.files = files
  }

  /// The queue for slow work at the start. Plugins get it as `PTLaunchQueue.shared`.
  public var launchQueue: DispatchQueue { PTLaunchQueue.shared }

  // MARK: Classes

  /// Makes an object of each class of `AutoInitialize.plist`, gives it its settings of `AppConfigurator.plist`, and has
  /// it initialized: one after the other, in the order of the file. The host keeps the objects.
  ///
  /// If one fails, the others are initialized nevertheless. Without a file, nothing happens.
  ///
  /// - Returns: what became of each class.
  /// - Throws: `launch.file` if one of the two files is refused, or does not have its shape; then nothing is initialized.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func autoInitModule() throws(PluginError) -> PTLaunchReport {
    guard let (list, configurator) = try initialization() else { return PTLaunchReport() }
    var report = PTLaunchReport(unknownKeys: list.unknownKeys)
    for name in list.classes {
      do throws(PluginError) {
        let settings = try configurator.settings(of: name)
        try switchboard.targets.perform(
          PTSelectors.initializeWhenLaunch, on: name, with: ActionInput(settings), keepsTarget: true)
        report.add(name)
      } catch { report.add(name, named(error, name)) }
    }
    return report
  }

  /// Does the same for tasks, which keep no thread while they wait.
  ///
  /// - Returns: what became of each class.
  /// - Throws: `launch.file`.
  @discardableResult public func autoInitModule() async throws(PluginError) -> PTLaunchReport {
    guard let (list, configurator) = try initialization() else { return PTLaunchReport() }
    var report = PTLaunchReport(unknownKeys: list.unknownKeys)
    for name in list.classes {
      do throws(PluginError) {
        let settings = try configurator.settings(of: name)
        try await switchboard.targets.perform(
          PTSelectors.initializeWhenLaunch, on: name, with: ActionInput(settings), keepsTarget: true)
        report.add(name)
      } catch { report.add(name, named(error, name)) }
    }
    return report
  }

  private func initialization() throws(PluginError) -> (AutoInitialize, AppConfigurator)? {
    guard let list = try AutoInitialize(files) else { return nil }
    return (list, try AppConfigurator(files))
  }

  /// The error for a class that could not be initialized.
  private func named(_ error: PluginError, _ className: String) -> PluginError {
    guard [.targetNotFound, .targetModuleRefused, .targetName].contains(error.code),
      !switchboard.targets.hasTarget(className)
    else { return error }
    return Self.notLoaded(className, error)
  }

  private static func notLoaded(_ name: String, _ cause: PluginError? = nil) -> PluginError {
    PluginError(
      .launchNotLoaded, PluginURL.shown(name), "is not in a loaded module", cause: cause,
      hint: "load the module that has it, or correct the launch file")
  }

  // MARK: URLs

  /// Registers the URLs of `AutoRegistURL.plist` for the host. An entry takes the place of an earlier one for its URL.
  ///
  /// A URL has to have exactly the parameters of its entry, in any order. Then an object of the class is made from them.
  /// For the scheme `InnerJump`, it presents itself, and the URL was opened if it could. Any other URL was not opened.
  /// The class is looked for when the URL is opened.
  ///
  /// - Returns: what became of each URL. One that means nothing is left out.
  /// - Throws: `launch.file` if the file is refused, or does not have its shape.
  @discardableResult public func autoRegistURL() throws(PluginError) -> PTLaunchReport {
    var report = PTLaunchReport()
    guard let file = try LaunchFile("AutoRegistURL.plist", files) else { return report }
    for (url, value) in file.sorted {
      do throws(PluginError) {
        try register(url, URLEntry(value, of: url, unknownKeys: &report.unknownKeys))
        report.add(url)
      } catch { report.add(url, error) }
    }
    return report
  }

  private func register(_ url: String, _ entry: URLEntry) throws(PluginError) {
    var options = RouteOptions(equals: .replaced)
    options.parameters = entry.parameters
    try switchboard.router.register(
      RoutePattern(PTRouterURL(url).pattern), owner: .host, options: options,
      onMain: { [weak switchboard] request in
        guard let switchboard else { throw Self.notLoaded(entry.controller) }
        return try Self.open(PTRouterURL(request), entry.controller, PTInvocationHelper(switchboard))
      })
  }

  /// The scheme of URLs whose pages present themselves. Case does not count in schemes.
  private static let presentingScheme = "innerjump"

  @MainActor private static func open(
    _ url: PTRouterURL, _ controller: String, _ helper: PTInvocationHelper
  ) throws -> Bool {
    let object: (any Sendable)?
    do throws(PTInvocationError) {
      object = try helper.performClass(controller, selector: PTSelectors.initWithParam, params: url.params)
    } catch {
      throw error.code == .noClass ? notLoaded(controller, error.cause) : error.cause ?? notLoaded(controller)
    }
    guard url.scheme == presentingScheme, let page = object as? any PTRouterVCProtocol else { return false }
    return page.presentingSelf()
  }

  // MARK: Containers

  /// Registers the containers of `DataModules.plist` for the host, each as a service of its name. It leads to the
  /// service that a module provides under the name in the file. An entry takes the place of an earlier one for its
  /// container.
  ///
  /// The module's service is looked for at each request, so a container is empty while the module is not loaded.
  ///
  /// - Returns: what became of each container. One that means nothing is left out.
  /// - Throws: `launch.file` if the file is refused, or does not have its shape.
  @discardableResult public func autoRegistDataModules() throws(PluginError) -> PTLaunchReport {
    var report = PTLaunchReport()
    guard let file = try LaunchFile("DataModules.plist", files) else { return report }
    for (container, value) in file.sorted {
      do throws(PluginError) {
        try register(container: container, value)
        report.add(container)
      } catch { report.add(container, error) }
    }
    return report
  }

  private func register(container: String, _ value: PropertyList) throws(PluginError) {
    guard case .string(let name) = value else {
      throw PluginError(
        .launchEntry, PluginURL.shown(container), "does not name a class", expected: "the name of a class",
        found: value.kind, hint: "correct DataModules.plist")
    }
    let services = switchboard.services
    // The one instance is the module's, and is gone with it.
    try services.replace(named: container, owner: .host, lifetime: .perCall) { [weak services] in
      guard let module = try services?.instance(named: name, as: (any Sendable).self) else {
        throw Self.notLoaded(name)
      }
      return module
    }
  }

  // MARK: Any file

  /// The values of a property list beside the launch files, such as `AppConfigurator.plist`.
  ///
  /// - Parameter plist: the name of the file.
  /// - Returns: texts, Booleans, numbers, bytes, dates, lists and dictionaries by name; empty if there is no file.
  /// - Throws: `launch.file` if it is refused, or not a dictionary.
  public func dict(plist: String) throws(PluginError) -> [String: any Sendable] {
    try LaunchFile(plist, files)?.values.compactMapValues(\.sendable) ?? [:]
  }
}
