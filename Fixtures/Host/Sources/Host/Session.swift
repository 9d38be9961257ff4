import Forecast
import ModuleFetch
import PluginHost
import PluginKit
import Signet
import SignetCrypto
import StoreFront

/// A host, and what its user does with it.
@MainActor final class Session {
  let host: PluginHost
  let screen: StoreScreen
  let journal: Journal

  init(_ options: Options) throws(SignetError) {
    var configuration = PluginHost.Configuration()
    configuration.embedded = options.embedded
    configuration.fetcher = .http()
    host = try PluginHost(
      policy: TrustPolicy(trustedFile: options.policy), store: options.store, configuration: configuration)
    screen = StoreScreen(try options.catalogue.map { (path) throws(SignetError) in try Catalogue.items(path) } ?? [])
    journal = Journal()
    journal.listen(to: host)
  }

  /// Loads what is installed.
  func start() async throws(PluginError) {
    _ = try host.switchboard.notifications.observe("weather.changed", owner: .host) { notification in
      print("heard of \(notification.userInfo["forecast"] as? Forecast, default: "no forecast")")
    }
    _ = try host.switchboard.notifications.observe("weather.ready", owner: .host) { _ in
      print("heard that the weather is ready")
    }
    for module in await host.start() { print("loaded \(module.module.identifier) \(module.module.version)") }
    for refusal in host.refusals { Output.refuse(refusal.source, refusal.reason) }
    // Modules hear of it as they would in a program with a screen.
    host.switchboard.events.start()
    try await host.switchboard.notifications.post("didBecomeActive")
  }

  /// Does what a line says.
  ///
  /// - Returns: false when it was the last.
  func run(_ line: String) async -> Bool {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard let command = words.first else { return true }
    let value = words.count > 1 ? words[1] : ""
    print("> \(line)")
    let refused = host.refusals.count
    do {
      switch command {
      case "list": list()
      case "store": store()
      case "tap": try await tap(value)
      case "install": try await install(value)
      case "open": try await show(host.open(value, userInfo: ["label": Self.label]))
      case "perform": try await show(host.switchboard.targets.perform(value))
      case "forecast": try await forecast(value)
      case "measure": try await measure(value)
      case "events": for line in journal.take() { print(line) }
      case "quit": return false
      default: print("\(command) is no command")
      }
    } catch let error as SignetError {
      // The host remembers what was offered and refused; what was not even there was no offer.
      Output.refuse(host.refusals.dropFirst(refused).last?.source ?? error.object, error)
    } catch let error as PluginError {
      Output.refuse(error)
    } catch {
      print("failed: \(error)")
    }
    return true
  }

  /// What the host gives along: modules get it as it is.
  private static let label: @Sendable (RouteRequest) -> String = { request in "[\(request.pattern.text)]" }

  private func show(_ page: (any Sendable)?) {
    let text = page.map { "\($0)" } ?? "nothing"
    host.switchboard.presenter.push(text)
    print(text)
  }

  private func forecast(_ city: String) async throws {
    guard let forecaster = await host.switchboard.services.resolve((any Forecaster).self) else {
      return print("nobody forecasts")
    }
    print(try forecaster.forecast(for: city))
  }

  /// What modules hear, and what they say to it.
  private func measure(_ value: String) async throws {
    let words = value.split(separator: " ").map(String.init)
    guard words.count == 2, let temperature = Int(words[1]) else { return print("measure CITY DEGREES") }
    try await host.switchboard.notifications.post(
      "weather.measured", userInfo: ["city": words[0], "temperature": temperature])
  }

  private func list() {
    for (module, status) in host.modules.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let version = host.loaded(module).map { " \($0.module.version)" } ?? ""
      let reason = host.reason(of: module).map { " [\($0.code)]" } ?? ""
      print("\(module)\(version): \(status)\(reason)")
    }
  }

  private func store() {
    for (row, items) in screen.rows.enumerated() {
      let cells = items.enumerated().map { column, item in
        let number = row * StoreScreen.columns + column + 1
        return item.map { "\(number) \($0.title ?? $0.identifier) \($0.version)" } ?? "-"
      }
      print(cells.joined(separator: " | "))
    }
  }

  private func tap(_ number: String) async throws {
    let cell = Int(number).map { $0 &- 1 } ?? -1
    switch screen.tap(cell, standing: standing) {
    case .nothing: print("nothing is there")
    case .fetch(let item): try await fetch(item)
    case .open(let item): try await open(item)
    }
  }

  private func standing(of item: StoreItem) -> StoreScreen.Standing {
    guard let module = ModuleIdentifier(item.identifier), let offered = SemanticVersion(item.version) else {
      return .absent
    }
    return switch host.availability(of: module, version: offered) {
    case .notInstalled: .absent
    case .updateAvailable: .older
    // What made the host crash is not offered again.
    case .setAside, .installed: .present
    }
  }

  /// Gets an item's archive and installs it. An item that is elsewhere is fetched here.
  private func fetch(_ item: StoreItem) async throws {
    guard let module = ModuleIdentifier(item.identifier) else { return print("\(item.identifier) is no module") }
    if let path = item.path {
      try await install(path, module)
    } else if let url = item.url, let version = SemanticVersion(item.version) {
      tell(try await host.download(DownloadItem(module, version: version, url: url)))
    } else {
      return print("\(item.identifier) is nowhere")
    }
  }

  private func install(_ path: String, _ module: ModuleIdentifier? = nil) async throws {
    tell(try await host.install(path, module: module))
  }

  private func tell(_ installed: (module: ModuleIdentifier, sequence: Int)) {
    let inUse = host.loaded(installed.module)
    // Code stays what it is until the program ends.
    let isLater = inUse.map { !$0.images.isEmpty && $0.sequence < installed.sequence } ?? false
    print("installed \(installed.module), sequence \(installed.sequence)\(isLater ? ", for the next start" : "")")
  }

  /// Shows a module's first page; of a module without code its resources.
  private func open(_ item: StoreItem) async throws {
    guard let module = ModuleIdentifier(item.identifier) else { return }
    let loaded = try await host.load(module)
    if let page = loaded.module.routes.first {
      show(try await host.open(page))
    } else {
      for path in loaded.resources {
        let bytes = try loaded.resource(path) ?? []
        let text = path.hasSuffix(".txt") ? String(decoding: bytes, as: UTF8.self).split(separator: "\n").first : nil
        print("\(path): \(text ?? "\(bytes.count) bytes")")
      }
    }
  }
}
