internal import SignetCLI

/// The calls of PTRouter.
struct PTRouterStyle: ProjectStyle {
  let plugin = "ptrouter"
  let pluginImports = ["PTRouterFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"InnerJump://\(name)/show\"]" }

  func offer(of name: String) -> String { "the URL `InnerJump://\(name)/show`" }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["PTRouterFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip 'InnerJump://radio/show?item=7'          # installs a plugin, and opens its URL"]
  }
}
