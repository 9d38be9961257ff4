internal import SignetBase
internal import SignetCLI

extension ModuleScaffold {
  /// The files of a plugin in Swift.
  func swiftFiles() throws(SignetError) -> [ScaffoldFile] {
    var makefile = values
    makefile["assembly"] = try templates.part("module/assembly.mk", values)
    makefile["link"] = try signet.makeRule(for: "$(LIBRARY)", templates)
    makefile["tests"] = try tests.swiftMakeRule(for: self)
    var package = values
    package["tests"] = tests.packageTarget(for: self)
    return [
      .ignored(["/.build/", "/module/"] + signet.ignored),
      ScaffoldFile("Makefile", try templates.text("module/swift/Makefile", makefile)),
      ScaffoldFile("Package.swift", try templates.text("module/swift/Package.swift", package)),
      try readme("Swift", "swift"), try swiftSource(), try description(),
    ] + (try tests.swiftFiles(for: self))
  }

  /// The name by which code imports the module.
  var target: String { capitalizedName + "Module" }

  private func swiftSource() throws(SignetError) -> ScaffoldFile {
    let imports = (["CSignetPlugin", "PluginKit"] + style.pluginImports).sorted().map { "import \($0)" }
    var values = values
    values["imports"] = imports.joined(separator: "\n")
    values["plugin"] = try templates.part("systems/\(style.plugin)/Plugin.swift", values)
    values["object"] = style.principal(capitalizedName)
    return ScaffoldFile(
      "Sources/\(target)/\(capitalizedName)Plugin.swift", try templates.text("module/swift/Plugin.swift", values))
  }
}
