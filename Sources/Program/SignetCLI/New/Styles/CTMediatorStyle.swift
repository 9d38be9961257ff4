/// The calls of CTMediator.
struct CTMediatorStyle: ProjectStyle {
  let pluginImports = ["CTMediatorFace"]

  func declarations(of name: String) -> String {
    "\"targets\": { \"\(name.prefix(1).uppercased() + name.dropFirst())\": [\"show\"] }"
  }

  func offer(of name: String) -> String {
    "the target `\(name.prefix(1).uppercased() + name.dropFirst())` with the action `show`"
  }

  func plugin(_ name: String, _ capitalized: String) -> String {
    """
    /// The class that was Target_\(capitalized).
    struct Target\(capitalized): Sendable {
      func show(_ params: CTParams) -> String { "\(name) shows \\(params["item"] ?? "its first page")" }
    }

    /// What module.json declares is registered here.
    final class \(capitalized)Plugin: Plugin {
      func moduleDidLoad(_ context: ModuleContext) throws {
        try CT(context).register("\(capitalized)", make: { Target\(capitalized)() }) { actions in
          actions.add("Action_show:", Target\(capitalized).show)
        }
      }
    }
    """
  }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["CTMediatorFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip 'app://Radio/show?item=7'          # installs a plugin, and performs its action"]
  }

  func hostProgram(_ host: HostScaffold) -> String {
    Self.program(
      imports: ["CTMediatorHostFace"],
      start: "CTMediator.use(host.switchboard)",
      open: #"print(await CT().performAction(withUrl: argument) ?? "no answer")"#)
  }
}
