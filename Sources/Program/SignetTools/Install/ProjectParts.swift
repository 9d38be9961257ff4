internal import ModuleInstaller
internal import ModuleResolver
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem
internal import SignetTUF

/// The Modfile of a project that is begun, or that gets one more source.
///
/// No other run begins or adds to the project meanwhile.
struct ProjectModfile {
  /// What is done to it.
  enum Change {
    /// It is written for the first time.
    case begun
    /// It gets one more source.
    case added
    /// It has the source already.
    case unchanged
  }

  let change: Change
  private let path: String
  private let before: [UInt8]?
  private let after: [UInt8]
  private let lock: ChangeLock

  /// Reads what is there, and makes what is to be written.
  ///
  /// - Throws: `output.exists` for a Modfile that is there, if no source is to be added; `modfile.duplicate` for another
  ///   source of the same name; `install.link`, `modfile.…`, `file.…`.
  init(_ files: ModfileOptions, adding source: ModuleSource?) throws(SignetError) {
    path = files.modfile
    try ProjectPlace.check(path, option: nil)
    lock = try ChangeLock(beside: path)
    guard (try? FileStatus(ofLink: path)) != nil else {
      (before, after, change) = (nil, try Self.text(source), .begun)
      return
    }
    guard let source else {
      throw SignetError(
        .outputExists, path, "already exists", expected: "no Modfile",
        hint: "add to it: signet init --source URL --root ROOT --modules 'com.example.**'")
    }
    let text = try RegularFile(opening: path).bytes(limit: Modfile.sizeLimit)
    before = text
    do throws(SignetError) {
      let modfile = try Modfile(text)
      guard let same = modfile.sources.first(where: { $0.name == source.name }) else {
        after = modfile.text(text, adding: source)
        change = .added
        _ = try Modfile(after)
        return
      }
      guard same == source else {
        throw SignetError(
          .modfileDuplicate, "Modfile", "has another source \(source.name)", expected: "a name of its own",
          found: same.url, hint: "choose another name with --name; or change the source in the Modfile")
      }
      (after, change) = (text, .unchanged)
    } catch { throw error.inModfile(path) }
  }

  /// The text of a new Modfile, which can be read.
  private static func text(_ source: ModuleSource?) throws(SignetError) -> [UInt8] {
    var text = "# The modules of this host: signet add MODULE writes them here, signet install installs them.\n"
    text +=
      source.map { "\n" + Modfile.line($0) }
      ?? "# A registry, and the modules that it may serve:\n# source 'example', 'https://modules.example.com/registry', modules: 'com.example.**'\n"
    let bytes = Array(text.utf8)
    _ = try Modfile(bytes)
    return bytes
  }

  /// Writes the Modfile, unless somebody has changed it meanwhile.
  ///
  /// - Throws: `file.changed`; `output.…`.
  func write() throws(SignetError) {
    try withExtendedLifetime(lock) { () throws(SignetError) in
      guard let before else {
        try Interruption.held { () throws(SignetError) in try OutputFile.write(after, to: path, .keep) }
        return
      }
      guard after != before else { return }
      guard try RegularFile(opening: path).bytes(limit: Modfile.sizeLimit) == before else {
        throw SignetError(.fileChanged, path, "was changed by another process", hint: "run it again")
      }
      try Interruption.held { () throws(SignetError) in try OutputFile.write(after, to: path, .replace(unless: [])) }
    }
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
  private let text: [UInt8]?
  private static let lines = ["/modules/", "/sources/"]
  /// The folders, for people.
  static let names = "modules, sources"
  /// A person writes the file.
  private static let sizeLimit = 1 << 20

  /// Reads what is there.
  ///
  /// - Throws: `install.link`, `file.…`.
  init(beside files: ModfileOptions) throws(SignetError) {
    path = files.beside(".gitignore")
    var bytes: [UInt8] = []
    if (try? FileStatus(ofLink: path)) != nil {
      try ProjectPlace.check(path, option: nil)
      bytes = try RegularFile(opening: path).bytes(limit: Self.sizeLimit)
    }
    let known = Set(bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) })
    let missing = Self.lines.map { Array($0.utf8) }.filter { !known.contains($0) }
    if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    for line in missing { bytes += line + [UInt8(ascii: "\n")] }
    text = missing.isEmpty ? nil : bytes
  }

  /// Adds the lines that are missing. What is there stays.
  ///
  /// - Throws: `output.…`.
  func write() throws(SignetError) {
    guard let text else { return }
    try Interruption.held { () throws(SignetError) in try OutputFile.write(text, to: path, .replace(unless: [])) }
  }
}
