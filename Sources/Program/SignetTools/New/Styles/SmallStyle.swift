internal import SignetBase
internal import SignetCLI

/// The calls of Small.
struct SmallStyle: ProjectStyle {
  let plugin = "small"
  let pluginImports = ["SmallFace"]

  func declarations(of name: String) -> String {
    "\"pages\": [\"\"], \"acceptedParameters\": { \"\": [\"from\"] }"
  }

  func offer(of name: String) -> String { "the page that its URI in a host's `bundle.json` opens" }

  func principal(_ capitalized: String) -> String { "SMAppPlugin(principal: \(capitalized)Controller.self)" }

  let hostProducts = ["SmallFace"]

  /// The manifest of Small's template: one entry, the module that the application begins with.
  func hostFiles(_ host: HostScaffold) throws(SignetError) -> [ScaffoldFile] {
    [ScaffoldFile("app/bundle.json", try host.templates.text("systems/small/bundle.json", host.values))]
  }

  func hostCommands(_ host: HostScaffold) -> [String] {
    [
      "signet sign app/bundle.json --host-manifest \(host.identifier) --sequence 1 --key publisher",
      "signet new module main --like small --identifier \(host.identifier).app.main",
      "make -C main && signet pack main/module --out app/main.zip && signet sign app/main.zip --key publisher --attach",
      "\(host.program) 'main?from=readme'",
    ]
  }

  let hostLeaves = ["/documents/", "/main/"]

  func trial(_ like: String) -> String {
    "`signet new module` and the command after it make the module that `app/bundle.json` names."
  }
}
