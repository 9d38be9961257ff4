internal import SignetCLI

/// The calls of PACore and PARuntime.
struct PACoreStyle: ProjectStyle {
  let plugin = "pacore"
  let pluginImports = ["PACoreFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"ui://\(name)\", \"ui://\(name)/*\"]" }

  func offer(of name: String) -> String { "the resource `ui://\(name)`" }

  func principal(_ capitalized: String) -> String { "PABundlePlugin(\(capitalized)())" }

  let hostProducts = ["ModuleFetch", "PACoreFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program)                  # gets what the list site/store.json offers, and shows its pages"]
  }

  let trusted = " --files 'store.*'"
}
