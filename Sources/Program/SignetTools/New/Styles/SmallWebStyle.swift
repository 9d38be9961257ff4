internal import SignetBase
internal import SignetCLI

/// The calls of Small for web bundles.
struct SmallWebStyle: ProjectStyle {
  let plugin = "small-web"
  let pluginImports = ["SmallFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"smalljs://\(name)\"]" }

  func offer(of name: String) -> String { "the method `\(name)`, which pages call by `Small.invoke`" }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts = ["SmallFace"]

  /// A manifest with one entry, and the web module that it names.
  func hostFiles(_ host: HostScaffold) throws(SignetError) -> [ScaffoldFile] {
    try ["app/bundle.json", "about/module.json", "about/index.html"].map { path throws(SignetError) in
      ScaffoldFile(path, try host.templates.text("systems/small-web/\(path)", host.values))
    }
  }

  func hostCommands(_ host: HostScaffold) -> [String] {
    [
      "signet sign app/bundle.json --host-manifest \(host.identifier) --sequence 1 --key publisher",
      "signet pack about --out app/about.zip && signet sign app/about.zip --key publisher --attach",
      "\(host.program) 'about?from=readme'",
    ]
  }

  let hostLeaves = ["/documents/"]

  func trial(_ like: String) -> String { "`about` is the web module that `app/bundle.json` names." }
}
