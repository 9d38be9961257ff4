internal import SignetCLI

/// The calls of PluginKit and PluginHost.
struct SignetStyle: ProjectStyle {
  let plugin = "signet"
  let pluginImports: [String] = []

  func declarations(of name: String) -> String { "\"routes\": [\"ui://\(name)\", \"ui://\(name)/:item\"]" }

  func offer(of name: String) -> String { "the pages `ui://\(name)` and `ui://\(name)/:item`" }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts: [String] = []

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip ui://radio/7          # installs a plugin, and opens its page"]
  }
}
