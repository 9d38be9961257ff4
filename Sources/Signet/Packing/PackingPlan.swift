package import SignetArchive
package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// A module that is ready to be packed: everything that can be checked before its files are read has been.
package struct PackingPlan {
  /// What the module says of itself.
  package let description: ModuleDescription
  /// What is legal in it, but unwise.
  package let advice: [PackingAdvice]
  /// Why its binaries would not be loaded: it is not packed unless this is empty.
  package let objections: [SignetError]
  /// Bytes of all files.
  package let size: Int
  let entries: [PackedEntry]
  /// Makes sure in the end that nothing has changed.
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
      // Links have all bits there are, wherever they have any.
      if found.status.mode & 0o7000 != 0, found.target == nil {
        advice.append(PackingAdvice(specialMode: found.status.mode, of: entry.path))
      }
    }
    do throws(SignetError) {
      try self.init(entries, limits, advice) { () throws(SignetError) in
        try scan.checkUnchanged(directory, limits: bounds)
      }
    } catch {
      // What the rules object to is a path below the directory.
      guard entries.contains(where: { $0.path.isExactly(error.object) }) else { throw error }
      throw error.about(directory.shown(Array(error.object.utf8)))
    }
  }

  /// Plans to pack anew what an archive of any kind holds.
  ///
  /// - Parameter depth: how many folders that lie around everything are left out.
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
      try self.init(StrippedFolders.removed(depth, from: entries), limits, advice) { () throws(SignetError) in
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
    _ entries: [PackedEntry], _ limits: ArchiveLimits, _ advice: [PackingAdvice],
    _ verifyUnchanged: @escaping () throws(SignetError) -> Void
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

  /// Makes sure that nothing has changed since the plan was made.
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

  /// Whether a file is a private key: keygen gives its keys names that say nothing.
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

  /// A file that the description names; it has been found to be there.
  private static func source(of path: String, in entries: [PackedEntry]) throws(SignetError) -> any ByteSource {
    guard let entry = entries.first(where: { $0.path.isExactly(path) }), case .file(let content, _) = entry.content
    else { throw SignetError(.moduleMissingFile, path, "is not a file of the module") }
    return try content.source(path)
  }

  /// The module's description; the bytes that were read are those that are packed.
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

/// The folders around everything that an archive holds, which a module does not have: many programs put one around what
/// they pack.
enum StrippedFolders {
  /// The entries without that many folders around them.
  ///
  /// - Throws: `packing.strip` for what lies elsewhere.
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

  /// The folder in which a whole module lies, and how deep; nil where there is none around everything.
  static func around(_ entries: [PackedEntry]) -> (path: String, depth: Int)? {
    let suffix = "/" + ModuleDescription.path
    for entry in entries where entry.path.utf8.reversed().starts(with: suffix.utf8.reversed()) {
      let folder = String(entry.path.dropLast(suffix.count))
      let depth = folder.split(separator: "/").count
      // A file beside the folders would be left behind.
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
