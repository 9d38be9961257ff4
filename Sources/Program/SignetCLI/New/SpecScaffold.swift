internal import ModuleSpec
internal import Signet

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
  var files: [ScaffoldFile] {
    let plugin = (language == .swift ? module.swiftFiles : module.cFiles).map { file in
      file.path.isExactly("README.md") ? ScaffoldFile(file.path, file.text + readme) : file
    }
    return plugin + [spec, license] + (hasDemo ? demoFiles : [])
  }

  private var spec: ScaffoldFile {
    let name = language == .swift ? ",\n  \"module_name\": \"\(module.target)\"" : ""
    return ScaffoldFile(
      ModuleSpec.fileName(of: module.name),
      """
      {
        "name": "\(module.name)",
        "version": "1.0.0",
        "identifier": "\(module.identifier)",
        "sequence": 1,
        "summary": "TODO: what the module is, in a sentence",
        "homepage": "TODO: the address of a page about the module",
        "license": { "type": "TODO: the name of the licence, such as Apache-2.0", "file": "LICENSE" },
        "authors": [{ "name": "TODO: the name of who made it" }],
        "source": {
          "git": "TODO: the address of the repository, by https or ssh",
          "tag": "1.0.0",
          "commit": "TODO: commit and tag this first, then write the ID that git rev-parse '1.0.0^{commit}' prints"
        },
        "platforms": [{ "name": "\(platform)" }],
        "source_files": ["\(language == .swift ? "Sources/**/*.swift" : "\(module.name).c")"]\(name)
      }

      """)
  }

  private var license: ScaffoldFile {
    ScaffoldFile("LICENSE", "TODO: the text of the licence that \(ModuleSpec.fileName(of: module.name)) names\n")
  }

  private var readme: String {
    let tests = module.tests.framework == .none ? "" : "- `make test` runs the tests in `Tests`.\n"
    let demo = hasDemo ? "- `\(Self.demo)` is a host that loads the module.\n" : ""
    return """

      ## The spec

      `\(ModuleSpec.fileName(of: module.name))` says who made the module, from which sources, and under which licence. Write what is TODO there and in `LICENSE`. `signet spec
      lint` says what is left.

      \(tests)\(demo)
      """.split(separator: "\n", omittingEmptySubsequences: false).dropLast().joined(separator: "\n") + "\n"
  }

  private var demoFiles: [ScaffoldFile] {
    guard let identifier = ModuleIdentifier("\(module.identifier).demo") else { return [] }
    let host = HostScaffold(
      name: "demo", identifier: identifier, signet: module.signet.fromSubfolder, style: SignetStyle())
    return host.files.map { file in
      let text = file.path.isExactly("README.md") ? demoReadme(host) : file.text
      return ScaffoldFile("\(Self.demo)/\(file.path)", text)
    }
  }

  private func demoReadme(_ host: HostScaffold) -> String {
    """
    # Demo

    A host that loads `\(module.identifier)`, if it is signed by whom `trust.json` names. Run this in the folder above, after the commands of its README:

    ```sh
    make -C \(Self.demo)
    cd \(Self.demo)
    signet trust init trust.json
    signet trust add trust.json --name publisher --key ../publisher.pub \\
        --modules '\(module.identifier)'
    \(host.program) ../\(module.name).zip ui://\(module.name)/7
    ```

    """
  }
}
