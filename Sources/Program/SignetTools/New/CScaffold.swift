internal import SignetBase
internal import SignetCLI

extension ModuleScaffold {
  /// The files of a plugin in C.
  func cFiles() throws(SignetError) -> [ScaffoldFile] {
    [
      .ignored(["/build/", "/\(SignetSource.linkName)", "/module/"]), try cMakefile(), try readme("C", "c"),
      ScaffoldFile("\(name).c", try templates.text("module/c/plugin.c", values)), try description(),
    ] + (try tests.cFiles(for: self))
  }

  private func cMakefile() throws(SignetError) -> ScaffoldFile {
    var values = values
    values["assembly"] = try templates.part("module/assembly.mk", values)
    values["tests"] = try tests.cMakeRule(for: self)
    switch signet {
    case .checkout(let path): (values["place"], values["clone"]) = (path, "")
    case .machine: (values["place"], values["clone"]) = (SignetSource.linkName, try templates.part("link.mk"))
    case .repository(let url):
      values["place"] = SignetSource.linkName
      values["clone"] = try templates.part("module/c/clone.mk", ["version": SignetCommand.version, "url": url])
    }
    return ScaffoldFile("Makefile", try templates.text("module/c/Makefile", values))
  }
}
