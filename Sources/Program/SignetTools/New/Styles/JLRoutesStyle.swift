internal import SignetCLI

/// The calls of JLRoutes.
struct JLRoutesStyle: ProjectStyle {
  let plugin = "jlroutes"
  let pluginImports = ["JLRoutesFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"*://\(name)/:item\"]" }

  func offer(of name: String) -> String { "the route `/\(name)/:item`" }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["JLRoutesFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip app://radio/7          # installs a plugin, and opens its route"]
  }
}
