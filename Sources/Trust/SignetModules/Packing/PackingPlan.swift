internal import SignetArchive
package import SignetBase
internal import SignetCrypto
internal import SignetKeys
package import SignetSystem
package import SignetVerify

/// A module that is ready to be packed. Everything that can be checked before its files are read has been checked.
package struct PackingPlan {
  /// The module's description.
  package let description: ModuleDescription
  /// What is legal in the module, but unwise.
  package let advice: [PackingAdvice]
  /// The reasons why its binaries would not be loaded. The module is packed only if the list is empty.
  package let objections: [SignetError]
  /// The total size of the files in bytes.
  package let size: Int
  let entries: [PackedEntry]
  /// Checks at the end that nothing has changed.
  private let verifyUnchanged: () throws(SignetError) -> Void

  /// Plans to pack a directory.
  ///
  /// - Throws: `module.…`, `packing.…`, `archive.…`, `path.…`, `directory.…`, `file.…`.
  package init(_ directory: Directory, _ limits: ArchiveLimits) throws(SignetError) {
    let bounds = DirectoryScan.Limits(
      entries: limits.entries, pathLength: EntryPath.lengthLimit, depth: EntryPath.depthLimit)
    let scan = try DirectoryScan(directory, limits: bounds)
    var entries: [PackedEntry] = []
    var advice: [PackingAdvice] = []
    for found in scan.entries {
      let entry = try Self.entry(found, directory)
      entries.append(entry)
      // Links are exempt: a system that gives links a mode sets all its bits.
      if found.status.mode & 0o7000 != 0, found.target == nil {
        advice.append(PackingAdvice(specialMode: found.status.mode, of: entry.path))
      }
    }
    do throws(SignetError) {
      try self.init(entries, limits: limits, advice: advice) { () throws(SignetError) in
        try scan.checkUnchanged(directory, limits: bounds)
      }
    } catch {
      // The rules name a path below the directory, so the directory's own path is added.
      guard entries.contains(where: { $0.path.isExactly(error.object) }) else { throw error }
      throw error.about(directory.shown(Array(error.object.utf8)))
    }
  }

  /// Plans to pack the content of an archive of any kind again.
  ///
  /// - Parameter depth: how many folders around the whole content are removed.
  /// - Throws: `module.…`, `packing.…`, `archive.…`, `path.…`, `file.…`.
  package init(_ archive: RegularFile, stripping depth: Int, _ limits: ArchiveLimits) throws(SignetError) {
    let foreign = try ForeignArchive.open(archive, limits)
    let entries: [PackedEntry]
    if let foreign {
      entries = foreign.entries
    } else {
      entries = try LenientZIP(archive, limits: limits).packed(from: archive)
    }
    let advice = (foreign?.specialModes ?? []).map { PackingAdvice(specialMode: $0.mode, of: $0.path) }
    do throws(SignetError) {
      try self.init(StrippedFolders.removed(depth, from: entries), limits: limits, advice: advice) {
        () throws(SignetError) in
        try archive.checkUnchanged()
      }
    } catch  where error.code == .moduleMissingFile && error.object.isExactly(ModuleDescription.path) {
      guard let folder = StrippedFolders.around(entries) else { throw error }
      var error = error
      error.found = "a folder around everything, \(folder.path), which has one"
      error.hint = "leave the folder out: --strip \(folder.depth)"
      throw error
    }
  }

  private init(
    _ entries: [PackedEntry], limits: ArchiveLimits, advice: [PackingAdvice],
    verifyUnchanged: @escaping () throws(SignetError) -> Void
  ) throws(SignetError) {
    var archived: [ArchiveEntry] = []
    for entry in entries { archived.append(try entry.asArchived()) }
    try ArchiveRules.check(archived, limits)
    var keys: Set<String> = []
    for entry in entries where try Self.holdsPrivateKey(entry) { keys.insert(entry.path) }
    var entries = entries
    description = try Self.description(&entries)
    try description.check(against: archived)
    try ModuleFileName.check(description)
    try ModuleSources.check(description, archived.compactMap { if case .file = $0.content { $0.path } else { nil } })
    let findings = try description.binaryFindings { (path) throws(SignetError) in
      try Self.source(of: path, in: entries)
    }
    objections = findings.errors
    self.advice =
      advice + PackingAdvice.all(description, archived.map(\.path), withKeys: keys)
      + findings.advice.map { PackingAdvice($0) }
    size = entries.reduce(0) { $0 + $1.size }
    self.entries = entries
    self.verifyUnchanged = verifyUnchanged
  }

  /// Checks that nothing has changed since the plan was made.
  ///
  /// - Throws: `file.changed`.
  func checkUnchanged() throws(SignetError) { try verifyUnchanged() }

  private static func entry(
    _ found: DirectoryScan.Entry, _ directory: Directory
  ) throws(SignetError) -> PackedEntry {
    let shown = directory.shown(found.path)
    let path = try found.name(shown)
    let content: PackedEntry.Content
    switch found.status.kind {
    case .regular:
      content = .file(PackedFile(found, of: directory), isExecutable: found.status.mode & 0o111 != 0)
    case .directory: content = .directory
    case .symbolicLink: content = .symbolicLink(target: try found.linkTarget(shown))
    case .other: throw DirectoryScan.Entry.isSpecial(shown)
    }
    return PackedEntry(path: path, content: content)
  }

  /// Whether a file holds a private key. Likely files are read, because the names that keygen gives its keys tell
  /// nothing.
  private static func holdsPrivateKey(_ entry: PackedEntry) throws(SignetError) -> Bool {
    guard case .file(let content, _) = entry.content, (1...PrivateKey.sizeLimit).contains(content.size) else {
      return false
    }
    let name = entry.path.split(separator: "/").last ?? ""
    let isLikely =
      !name.contains(".") || keyEndings.contains { name.utf8.reversed().starts(with: $0.utf8.reversed()) }
    guard isLikely else { return false }
    return PrivateKey.isHeld(in: SecretBytes(try PackedBytes(reading: content).bytes))
  }

  private static let keyEndings = [".der", ".key", ".p8", ".pem", ".txt"]

  /// A file that the description names. An earlier check has found it to be there.
  private static func source(of path: String, in entries: [PackedEntry]) throws(SignetError) -> any ByteSource {
    guard let entry = entries.first(where: { $0.path.isExactly(path) }), case .file(let content, _) = entry.content
    else { throw SignetError(.moduleMissingFile, path, "is not a file of the module") }
    return try content.source(path)
  }

  /// Reads the module's description. The bytes that are read here are the ones that are packed.
  private static func description(_ entries: inout [PackedEntry]) throws(SignetError) -> ModuleDescription {
    guard let index = entries.firstIndex(where: { $0.path.isExactly(ModuleDescription.path) }),
      case .file(let content, let isExecutable) = entries[index].content
    else {
      throw SignetError(
        .moduleMissingFile, ModuleDescription.path, "is missing; it describes the module",
        expected: "a file at the module's root", hint: "docs/format.md, section 10, describes it")
    }
    let limit = JSONLimits.moduleDescription.size
    guard content.size <= limit else {
      throw SignetError(
        .moduleMalformed, ModuleDescription.path, "is too long", expected: "at most \(limit) bytes",
        found: "\(content.size) bytes")
    }
    let bytes = try PackedBytes(reading: content)
    entries[index] = PackedEntry(
      path: ModuleDescription.path, content: .file(bytes, isExecutable: isExecutable))
    do throws(SignetError) {
      return try ModuleDescription(json: bytes.bytes)
    } catch {
      throw error.about("\(ModuleDescription.path), \(error.object)")
    }
  }
}

/// The folders around an archive's whole content.
///
/// Many programs put a folder around what they pack, but a module has none.
enum StrippedFolders {
  /// The entries without this many folders around them.
  ///
  /// - Throws: `packing.strip` for an entry that lies elsewhere.
  static func removed(_ depth: Int, from entries: [PackedEntry]) throws(SignetError) -> [PackedEntry] {
    guard depth > 0 else { return entries }
    var around: [Substring]?
    var inside: [PackedEntry] = []
    for entry in entries {
      let names = entry.path.split(separator: "/", omittingEmptySubsequences: false)
      let folders = around ?? Array(names.prefix(depth))
      around = folders
      let isFolder: Bool
      if case .directory = entry.content { isFolder = names.count <= depth } else { isFolder = false }
      let isInside = zip(names, folders).allSatisfy { String($0).isExactly(String($1)) }
      guard isInside, names.count > depth || isFolder else {
        throw SignetError(
          .packingStrip, entry.path,
          isInside ? "is not in that many folders" : "is in another folder than the first entry",
          expected: isInside
            ? "\(depth) folders around everything" : "a path below \(folders.joined(separator: "/"))",
          found: isInside ? "\(names.count - 1)" : nil, hint: Self.advice(on: entries))
      }
      if !isFolder {
        inside.append(PackedEntry(path: names.dropFirst(depth).joined(separator: "/"), content: entry.content))
      }
    }
    return inside
  }

  private static func advice(on entries: [PackedEntry]) -> String {
    guard let folder = around(entries) else { return "no folder with a module lies around everything" }
    return "the module lies in \(folder.path): --strip \(folder.depth)"
  }

  /// The folder that holds a whole module, and its depth; nil if no folder encloses everything.
  static func around(_ entries: [PackedEntry]) -> (path: String, depth: Int)? {
    let suffix = "/" + ModuleDescription.path
    for entry in entries where entry.path.utf8.reversed().starts(with: suffix.utf8.reversed()) {
      let folder = String(entry.path.dropLast(suffix.count))
      let depth = folder.split(separator: "/").count
      // A file outside the folder would be lost.
      let isAround = entries.allSatisfy { each in
        let isFolder = if case .directory = each.content { true } else { false }
        return each.path.utf8.starts(with: (folder + "/").utf8)
          || isFolder && (folder + "/").utf8.starts(with: (each.path + "/").utf8)
      }
      if isAround { return (folder, depth) }
    }
    return nil
  }
}
