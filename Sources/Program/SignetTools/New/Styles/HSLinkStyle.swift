internal import SignetCLI

/// The calls of HSLinkClass.
struct HSLinkStyle: ProjectStyle {
  let plugin = "hslink"
  let pluginImports = ["HSLinkFace"]

  func declarations(of name: String) -> String { "\"targets\": { \"\(Self.supply(of: name))\": [\"show\"] }" }

  func offer(of name: String) -> String { "the class `\(Self.supply(of: name))` with the method `show:`" }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["HSLinkFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip RadioSupply:show:7          # installs a component, and calls a method of its class"]
  }

  /// The class that a component of a name supplies.
  private static func supply(of name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() + "Supply" }
}
