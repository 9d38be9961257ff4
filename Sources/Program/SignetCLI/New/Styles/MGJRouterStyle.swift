/// The calls of MGJRouter.
struct MGJRouterStyle: ProjectStyle {
  let pluginImports = ["MGJRouterFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"mgj://\(name)/:item\"]" }

  func offer(of name: String) -> String { "the page `mgj://\(name)/:item`" }

  func plugin(_ name: String, _ capitalized: String) -> String {
    """
    /// What module.json declares is registered here.
    final class \(capitalized)Plugin: Plugin {
      func moduleDidLoad(_ context: ModuleContext) throws {
        try MGJRouter(context).registerURLPattern("mgj://\(name)/:item", allowsFallback: false) { parameters in
          parameters.completion?("\(name) shows \\(parameters["item"] ?? "")")
        }
      }
    }
    """
  }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["MGJRouterFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip mgj://radio/7          # installs a plugin, and opens its page"]
  }

  func hostProgram(_ host: HostScaffold) -> String {
    Self.program(
      imports: ["MGJRouterFace"],
      start: "let router = MGJRouter(host.switchboard)",
      open: #"""
        let error = await router.openURL(argument) { result in print(result ?? "no result") }
        if let error { print(error) }
        """#)
  }
}
