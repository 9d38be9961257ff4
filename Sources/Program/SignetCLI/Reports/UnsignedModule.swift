internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// A module's archive that nobody has signed: what it says about itself.
struct UnsignedModule {
  let path: String

  /// Shows the module.
  func show(_ console: Console) throws(SignetError) -> ExitStatus {
    let file = try RegularFile(opening: path)
    let archive = try ArchiveFile(file, limits: ArchiveLimits())
    let opened = try archive.open()
    let module = try opened.moduleDescription()
    if console.isJSON {
      let entry = JSONValue.object(
        ("verified", JSONValue(.bool(false))), ("file", .string(path)), ("archive", .string("\(opened.format)")),
        ("module", module.json), ("contents", .array(opened.entries.map { Self.json($0) })))
      try console.document(Report.document("inspect", [entry], .done))
      return .done
    }
    let entries = opened.entries.map { entry in
      ModuleReport.Entry(path: entry.path, isDirectory: entry.content == .directory, note: Self.note(entry))
    }
    try console.result("\(path.display): an unsigned module; its own claims")
    try console.result(["  archive         \(opened.format)"] + ModuleReport(module, entries).lines)
    return .done
  }

  private static func note(_ entry: ArchiveEntry) -> String {
    switch entry.content {
    case .file(let size): "\(size) bytes, \(entry.mode)"
    case .directory: "\(entry.mode)"
    case .symbolicLink(let target): "-> \(target)"
    }
  }

  /// An entry as in a statement, without digests, which have not been computed.
  private static func json(_ entry: ArchiveEntry) -> JSONValue {
    switch entry.content {
    case .file(let size):
      .object(
        ("path", .string(entry.path)), ("type", .string("file")), ("mode", .string("\(entry.mode)")),
        ("size", .integer(size)))
    case .directory:
      .object(("path", .string(entry.path)), ("type", .string("directory")), ("mode", .string("\(entry.mode)")))
    case .symbolicLink(let target):
      .object(("path", .string(entry.path)), ("type", .string("symlink")), ("target", .string(target)))
    }
  }
}
