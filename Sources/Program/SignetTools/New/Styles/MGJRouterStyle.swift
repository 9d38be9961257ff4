internal import SignetCLI

/// The calls of MGJRouter.
struct MGJRouterStyle: ProjectStyle {
  let plugin = "mgjrouter"
  let pluginImports = ["MGJRouterFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"mgj://\(name)/:item\"]" }

  func offer(of name: String) -> String { "the page `mgj://\(name)/:item`" }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["MGJRouterFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip mgj://radio/7          # installs a plugin, and opens its page"]
  }
}
