internal import Signet
internal import SignetBase
internal import SignetCLI

/// The files of a new host.
struct HostScaffold {
  let name: String
  let identifier: ModuleIdentifier
  let signet: SignetSource
  let templates: Templates
  let style: any ProjectStyle
  /// The option of `signet new` that chooses the style, with a space before it; empty for the calls of Signet.
  var like = ""

  /// The program's path in the project, as it is built.
  var program: String { ".build/release/\(name)" }

  func files() throws(SignetError) -> [ScaffoldFile] {
    var makefile = values
    makefile["link"] = try signet.makeRule(for: "host", templates)
    return [
      .ignored(["/.build/", "/modules/"] + signet.ignored + style.hostLeaves),
      ScaffoldFile("Makefile", try templates.text("host/Makefile", makefile)), try package(), try readme(),
      ScaffoldFile("Sources/Host/Host.swift", try templates.text("systems/\(style.host)/Host.swift", values)),
    ] + (try style.hostFiles(self))
  }

  /// What stands for the names in templates.
  var values: [String: String] {
    [
      "name": name, "Name": name.prefix(1).uppercased() + name.dropFirst(), "identifier": "\(identifier)",
      "dependency": signet.dependency,
    ]
  }

  private func package() throws(SignetError) -> ScaffoldFile {
    var values = values
    values["products"] = (["PluginHost", "PluginKit", "Signet"] + style.hostProducts).sorted()
      .map { "        .product(name: \"\($0)\", package: \"\(signet.identity)\")," }.joined(separator: "\n")
    return ScaffoldFile("Package.swift", try templates.text("host/Package.swift", values))
  }

  /// The pattern of the identifiers beside and below the host's.
  private var modules: String {
    "\(identifier)".split(separator: ".").dropLast().joined(separator: ".") + ".**"
  }

  private func readme() throws(SignetError) -> ScaffoldFile {
    var values = values
    values["modules"] = modules
    values["trusted"] = style.trusted
    values["commands"] = style.hostCommands(self).joined(separator: "\n")
    values["trial"] = style.trial(like)
    return ScaffoldFile("README.md", try templates.text("host/README.md", values))
  }
}
