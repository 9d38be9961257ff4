/// The calls of JLRoutes.
struct JLRoutesStyle: ProjectStyle {
  let pluginImports = ["JLRoutesFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"*://\(name)/:item\"]" }

  func offer(of name: String) -> String { "the route `/\(name)/:item`" }

  func plugin(_ name: String, _ capitalized: String) -> String {
    """
    /// What module.json declares is registered here.
    final class \(capitalized)Plugin: Plugin {
      func moduleDidLoad(_ context: ModuleContext) throws {
        try JLRouter(context).global().addRoute("/\(name)/:item") { parameters in
          print("\(name) shows \\(parameters["item"] ?? "")")
          return true
        }
      }
    }
    """
  }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["JLRoutesFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip app://radio/7          # installs a plugin, and opens its route"]
  }

  func hostProgram(_ host: HostScaffold) -> String {
    Self.program(
      imports: ["JLRoutesFace"],
      start: "let routes = JLRouter(host.switchboard)",
      open: #"if await !routes.routeURL(argument) { print("no route") }"#)
  }
}
