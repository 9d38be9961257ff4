internal import Signet
internal import SignetBase
internal import SignetCLI

/// The files of a new plugin.
struct ModuleScaffold {
  let name: String
  let identifier: ModuleIdentifier
  let signet: SignetSource
  let templates: Templates
  /// The calls of a plugin in Swift.
  let style: any ProjectStyle
  /// What the names of types and of the principal begin with: upper-case letters and digits, or nothing.
  var prefix = ""
  /// The key of the binary in the description. The Makefile puts this machine's platform in the place of the usual one.
  var platform = ModulePlatform.linuxX86
  /// The tests that the package begins with.
  var tests = ProjectTests()

  /// The file name of the module's binary.
  var libraryName: String { ModuleFileName.name(of: identifier, on: .linuxX86) }

  var capitalizedName: String { prefix + name.prefix(1).uppercased() + name.dropFirst() }

  /// The symbol that the host calls.
  var principal: String { prefix.isEmpty ? "\(name)_main" : "\(prefix.lowercased())_\(name)_main" }

  /// What stands for the names in templates.
  var values: [String: String] {
    [
      "name": name, "Name": capitalizedName, "identifier": "\(identifier)", "library": libraryName,
      "principal": principal, "platform": "\(platform)", "target": target, "dependency": signet.dependency,
      "signet": signet.identity,
    ]
  }

  func description() throws(SignetError) -> ScaffoldFile {
    var values = values
    values["declarations"] = style.declarations(of: name)
    return ScaffoldFile("module.json", try templates.text("module/module.json", values))
  }

  /// - Parameters:
  ///   - language: the language's name.
  ///   - folder: the folder of its templates.
  func readme(_ language: String, _ folder: String) throws(SignetError) -> ScaffoldFile {
    var values = values
    values["language"] = language
    values["offer"] = style.offer(of: name)
    values["flags"] = try templates.part("module/\(folder)/flags.md")
    return ScaffoldFile("README.md", try templates.text("module/README.md", values))
  }
}
