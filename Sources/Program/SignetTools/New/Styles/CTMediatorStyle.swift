internal import SignetCLI

/// The calls of CTMediator.
struct CTMediatorStyle: ProjectStyle {
  let plugin = "ctmediator"
  let pluginImports = ["CTMediatorFace"]

  func declarations(of name: String) -> String {
    "\"targets\": { \"\(name.prefix(1).uppercased() + name.dropFirst())\": [\"show\"] }"
  }

  func offer(of name: String) -> String {
    "the target `\(name.prefix(1).uppercased() + name.dropFirst())` with the action `show`"
  }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["CTMediatorFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip 'app://Radio/show?item=7'          # installs a plugin, and performs its action"]
  }
}
