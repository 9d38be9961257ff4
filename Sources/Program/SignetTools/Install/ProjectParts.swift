internal import ModuleInstaller
internal import ModuleResolver
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem
internal import SignetTUF

/// A Modfile that is there already, and gets one more source.
struct BegunModfile {
  private let path: String
  private let text: [UInt8]
  private let file: RegularFile

  /// - Returns: nil if there is no Modfile yet, or no source to add.
  /// - Throws: `modfile.duplicate` for a source with the name of another one; `modfile.…`, `file.…`.
  init?(_ files: ModfileOptions, adding source: ModuleSource?) throws(SignetError) {
    path = files.modfile
    guard let source, (try? FileStatus(ofLink: path)) != nil else { return nil }
    file = try RegularFile(opening: path)
    let old = try file.bytes(limit: Modfile.sizeLimit)
    do throws(SignetError) {
      let modfile = try Modfile(old)
      guard !modfile.sources.contains(where: { $0.name == source.name }) else {
        throw SignetError(
          .modfileDuplicate, "Modfile", "has a source \(source.name) already", expected: "a name of its own",
          hint: "choose another name: --name NAME; the source that is there can be changed in the Modfile")
      }
      text = modfile.text(old, adding: source)
      _ = try Modfile(text)
    } catch { throw error.inModfile(path) }
  }

  /// Writes the Modfile, unless somebody has changed it meanwhile.
  func write() throws(SignetError) {
    guard FileStatus.identities(of: [path]).first == file.status.identity else {
      throw SignetError(.fileChanged, path, "was changed by another process", hint: "run it again")
    }
    try Interruption.held { () throws(SignetError) in try OutputFile.write(text, to: path, .replace(unless: [])) }
  }
}

/// The first root of a registry, in a project.
struct ProjectRoot {
  let path: String
  let sha256: String
  private let folder: String
  private let name: String
  private let bytes: [UInt8]
  private let isThere: Bool

  /// - Throws: `output.exists` if the registry has another first root there.
  init(_ name: String, _ bytes: [UInt8], in folder: String) throws(SignetError) {
    self.name = "\(name).root.json"
    self.folder = folder
    self.bytes = bytes
    path = "\(folder)/\(self.name)"
    sha256 = try Digest.of(bytes, .sha256).hex
    try ProjectPlace.check(path, option: nil)
    if (try? FileStatus(ofLink: path)) == nil {
      isThere = false
    } else {
      guard try RegularFile(opening: path).bytes(limit: TUFLimits.standard.root) == bytes else {
        throw SignetError(
          .outputExists, path, "is another root", expected: "no root, or the same one",
          hint: "choose another name for the source: --name NAME")
      }
      isThere = true
    }
  }

  func write() throws(SignetError) {
    guard !isThere else { return }
    try Interruption.held { () throws(SignetError) in
      if (try? FileStatus(ofLink: folder)) == nil {
        try NewDirectory.write([(name, bytes)], to: folder)
      } else {
        try OutputFile.write(bytes, to: path, .keep)
      }
    }
  }
}

/// What version control leaves out of a project, because the lock gives it again.
struct ProjectIgnores {
  let path: String
  private static let lines = ["/modules/", "/sources/"]
  /// The folders, for people.
  static let names = "modules, sources"
  /// A person writes the file.
  private static let sizeLimit = 1 << 20

  init(beside files: ModfileOptions) { path = files.beside(".gitignore") }

  /// Adds the lines that are missing. What is there stays.
  func write() throws(SignetError) {
    var bytes: [UInt8] = []
    if (try? FileStatus(ofLink: path)) != nil {
      try ProjectPlace.check(path, option: nil)
      bytes = try RegularFile(opening: path).bytes(limit: Self.sizeLimit)
    }
    let known = Set(bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) })
    let missing = Self.lines.map { Array($0.utf8) }.filter { !known.contains($0) }
    guard !missing.isEmpty else { return }
    if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    for line in missing { bytes += line + [UInt8(ascii: "\n")] }
    let text = bytes
    try Interruption.held { () throws(SignetError) in try OutputFile.write(text, to: path, .replace(unless: [])) }
  }
}
