internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCLI

/// The files of a new module with a spec: those of a plugin, the spec, a place for the licence, and perhaps a host that
/// loads the module.
struct SpecScaffold {
  let module: ModuleScaffold
  let language: NewModuleCommand.Language
  /// The name of the platform in the spec.
  let platform: String
  let hasDemo: Bool

  private static let demo = "Demo"

  /// The files, in the order of their paths.
  func files() throws(SignetError) -> [ScaffoldFile] {
    let more = try module.templates.text("spec/README.md", values)
    let plugin = (language == .swift ? try module.swiftFiles() : try module.cFiles()).map { file in
      file.path.isExactly("README.md") ? ScaffoldFile(file.path, file.text + more) : file
    }
    let name = ModuleSpec.fileName(of: module.name)
    return plugin + [
      ScaffoldFile(name, try module.templates.text("spec/spec.json", values)),
      ScaffoldFile("LICENSE", "TODO: the text of the licence that \(name) names\n"),
    ] + (hasDemo ? try demoFiles() : [])
  }

  /// What stands for the names in templates.
  private var values: [String: String] {
    var values = module.values
    values["spec"] = ModuleSpec.fileName(of: module.name)
    values["platform"] = platform
    values["sources"] = language == .swift ? "Sources/**/*.swift" : "\(module.name).c"
    values["module"] = language == .swift ? ",\n  \"module_name\": \"\(module.target)\"" : ""
    values["tests"] = module.tests.framework == .none ? "" : "- `make test` runs the tests in `Tests`."
    values["demo"] = hasDemo ? "- `\(Self.demo)` is a host that loads the module." : ""
    return values
  }

  private func demoFiles() throws(SignetError) -> [ScaffoldFile] {
    guard let identifier = ModuleIdentifier("\(module.identifier).demo") else { return [] }
    let host = HostScaffold(
      name: "demo", identifier: identifier, signet: module.signet.fromSubfolder, templates: module.templates,
      style: SignetStyle())
    var values = values
    values["program"] = host.program
    let readme = try module.templates.text("spec/Demo.md", values)
    return try host.files().map { file in
      ScaffoldFile("\(Self.demo)/\(file.path)", file.path.isExactly("README.md") ? readme : file.text)
    }
  }
}
