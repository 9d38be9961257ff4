/// Which programs were compared.
struct Versions {
  /// Names and what the programs say of themselves.
  let lines: [(name: String, version: String)]

  static func present(_ workshop: Workshop) throws -> Versions {
    var commands = [
      ("signet", Command(workshop.signet, "--version")), ("openssl", Command("openssl", "version")),
      ("minisign", Command("minisign", "-v")),
    ]
    if let program = workshop.modelSigning { commands.append(("model_signing", Command(program, "--version"))) }
    let tools = ArchiveTools.present()
    if tools.hasBsdtar { commands.append(("bsdtar", Command("bsdtar", "--version"))) }
    if tools.hasUnzip { commands.append(("unzip", Command("unzip", "-v"))) }
    // Its first line is about its licence.
    if tools.hasZip { commands.append(("zip", Command("sh", "-c", "zip -v | sed -n 2p"))) }
    if tools.hasJarsigner { commands.append(("jarsigner", Command("java", "-version"))) }
    if Path.hasProgram("sha256sum") { commands.append(("sha256sum", Command("sha256sum", "--version"))) }
    if Path.hasProgram("swift") { commands.append(("swift", Command("swift", "--version"))) }
    return Versions(lines: try commands.map { ($0.0, try ChildProcess.output($0.1).firstLine) })
  }
}
