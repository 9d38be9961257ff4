/// The calls of PluginKit and PluginHost, with the pages in functions that tests can call.
struct PagesStyle: ProjectStyle {
  private let calls = SignetStyle()

  var pluginImports: [String] { calls.pluginImports }
  var hostProducts: [String] { calls.hostProducts }

  func declarations(of name: String) -> String { calls.declarations(of: name) }
  func offer(of name: String) -> String { calls.offer(of: name) }
  func principal(_ capitalized: String) -> String { calls.principal(capitalized) }
  func hostCommands(_ host: HostScaffold) -> [String] { calls.hostCommands(host) }
  func hostProgram(_ host: HostScaffold) -> String { calls.hostProgram(host) }

  func plugin(_ name: String, _ capitalized: String) -> String {
    """
    /// The pages that the module has.
    enum \(capitalized)Pages {
      static func first() -> String { "\(name) is here" }
      static func item(_ item: String) -> String { "\(name) shows \\(item)" }
    }

    /// What module.json declares is registered here.
    final class \(capitalized)Plugin: Plugin {
      func moduleDidLoad(_ context: ModuleContext) throws {
        try context.register(route: "ui://\(name)") { _ in \(capitalized)Pages.first() }
        try context.register(route: "ui://\(name)/:item") { request in
          \(capitalized)Pages.item(request.text("item") ?? "")
        }
      }
    }
    """
  }
}
