/// The calls of PTRouter.
struct PTRouterStyle: ProjectStyle {
  let pluginImports = ["PTRouterFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"InnerJump://\(name)/show\"]" }

  func offer(of name: String) -> String { "the URL `InnerJump://\(name)/show`" }

  func plugin(_ name: String, _ capitalized: String) -> String {
    """
    /// What module.json declares is registered here.
    final class \(capitalized)Plugin: Plugin {
      func moduleDidLoad(_ context: ModuleContext) throws {
        try PTRouter(context).registerURL("InnerJump://\(name)/show") { url, callback in
          print("\(name) shows \\(url.params["item"] ?? "its first page")")
          callback(true)
        }
      }
    }
    """
  }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["PTRouterFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip 'InnerJump://radio/show?item=7'          # installs a plugin, and opens its URL"]
  }

  func hostProgram(_ host: HostScaffold) -> String {
    Self.program(
      imports: ["PTLaunchFace"],
      start: "let router = PTRouter(host.switchboard)",
      open: #"print(await router.openURL(argument) ? "opened" : "not opened")"#)
  }
}
