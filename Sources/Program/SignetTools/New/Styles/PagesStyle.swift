internal import SignetCLI

/// The calls of PluginKit and PluginHost, with the pages in functions that tests can call.
struct PagesStyle: ProjectStyle {
  let plugin = "pages"
  var host: String { calls.host }
  private let calls = SignetStyle()

  var pluginImports: [String] { calls.pluginImports }
  var hostProducts: [String] { calls.hostProducts }

  func declarations(of name: String) -> String { calls.declarations(of: name) }
  func offer(of name: String) -> String { calls.offer(of: name) }
  func principal(_ capitalized: String) -> String { calls.principal(capitalized) }
  func hostCommands(_ host: HostScaffold) -> [String] { calls.hostCommands(host) }
}
