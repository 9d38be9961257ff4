package import SignetBase
package import SignetNames
internal import SignetSystem

/// The files of a commit, as git lists them. What git would do to them in a working tree is left out: filters, line
/// ends and `export-subst`. So a commit always has the same bytes.
package struct GitTree: Sendable {
  /// A file or a symbolic link of a commit.
  package struct Entry: Sendable {
    /// The path from the root of the repository.
    package let path: String
    /// What it is.
    package let kind: Kind
    /// The ID of the bytes.
    package let id: String
    /// The number of bytes; of a link those of its target.
    package let size: Int

    /// The last name of the path.
    package var name: String {
      String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    }
    /// The path of the folder, empty for the root.
    package var folder: String { EntryPath.parent(of: path) ?? "" }
    /// Whether it is a regular file.
    package var isFile: Bool { if case .file = kind { true } else { false } }
  }

  /// What an entry is.
  package enum Kind: Sendable {
    /// A regular file.
    case file(isExecutable: Bool)
    /// A symbolic link.
    case link
    /// Something that is never written, with the reason.
    case refused(SignetError)
  }

  /// The files and links, in the order of git.
  package let entries: [Entry]

  /// The longest list that git may print: a path and some words for each of half a million entries. A repository may have
  /// many modules in it.
  private static let listLimit = 64 << 20

  /// Lists a commit all of whose files are taken.
  ///
  /// - Parameters:
  ///   - commit: the full ID.
  ///   - git: the repository.
  ///   - limits: what a commit may have; more is refused before anything is read.
  /// - Throws: what ``init(listing:in:)`` and ``check(_:)`` throw.
  package init(of commit: String, in git: GitProgram, _ limits: ArchiveLimits) throws(SignetError) {
    try self.init(listing: commit, in: git)
    try check(limits)
  }

  /// Lists a commit of which a part is taken. The rest may be what it likes: only the part is checked, with ``check(_:)``.
  ///
  /// - Throws: `git.missing`, `git.failed`.
  package init(listing commit: String, in git: GitProgram) throws(SignetError) {
    // With -t folders are listed, too. Otherwise trees of nothing but trees would be walked for ever without a word.
    let text = try git.output(["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", commit], limit: Self.listLimit)
    entries = text.split(separator: 0).compactMap { Self.entry(Array($0)) }
  }

  /// Checks that everything listed can be written.
  ///
  /// - Throws: `git.tree` for a submodule, for a path or a size that modules do not have, and for two paths that are the
  ///   same on some systems.
  package func check(_ limits: ArchiveLimits) throws(SignetError) {
    for entry in entries { if case .refused(let error) = entry.kind { throw error } }
    // Targets of links are not known yet. GitTree.write checks them before it makes links.
    do throws(SignetError) {
      try ArchiveRules.check(entries.map { ($0.path, EntryContent.file(size: $0.size)) }, limits)
    } catch {
      throw Self.refused(error.object, "is in the commit, and cannot be a file of a module", cause: error)
    }
  }

  private init(_ entries: [Entry]) { self.entries = entries }

  /// The files of a folder, with paths from there. Links are left out. What is wanted and never written stays, so that
  /// ``check(_:)`` refuses it.
  ///
  /// - Parameters:
  ///   - folder: the path of the folder, empty for the root.
  ///   - isWanted: whether a file is taken, by its path from the folder.
  package func part(below folder: String, where isWanted: (String) -> Bool) -> GitTree {
    let start = folder.isEmpty ? "" : folder + "/"
    return GitTree(
      entries.compactMap { entry in
        if case .link = entry.kind { return nil }
        guard entry.path.utf8.starts(with: start.utf8) else { return nil }
        let path = String(decoding: entry.path.utf8.dropFirst(start.utf8.count), as: UTF8.self)
        return isWanted(path) ? Entry(path: path, kind: entry.kind, id: entry.id, size: entry.size) : nil
      })
  }

  /// Reads `MODE TYPE ID SIZE<tab>PATH`; nil for a folder.
  static func entry(_ line: [UInt8]) -> Entry? {
    let tab = line.firstIndex(of: UInt8(ascii: "\t")) ?? line.endIndex
    let words = line[..<tab].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    let name = line[tab...].dropFirst()
    let path = String(decoding: name, as: UTF8.self)
    func entry(_ kind: Kind, size: Int = 0) -> Entry {
      Entry(path: path, kind: kind, id: words.count > 2 ? words[2] : "", size: size)
    }
    guard words.count == 4, !name.isEmpty else {
      let listed = path.isEmpty ? "a line of git ls-tree" : path
      return entry(
        .refused(
          refused(
            listed, "is listed by git in a form that Signet does not know",
            found: String(decoding: line, as: UTF8.self), hint: "install another version of git")))
    }
    guard path.utf8.elementsEqual(name) else {
      return entry(.refused(refused(path, "is in the commit, and its name is not UTF-8")))
    }
    guard !words[0].isExactly("040000") else { return nil }
    // A folder that git takes for a repository could make it execute something later.
    guard !path.utf8.split(separator: UInt8(ascii: "/")).contains(where: isRepository) else {
      return entry(.refused(refused(path, "is in a folder .git, where git keeps a repository")))
    }
    let kind: Kind
    switch words[0] {
    // Old repositories have files that their group may write.
    case "100644", "100664": kind = .file(isExecutable: false)
    case "100755": kind = .file(isExecutable: true)
    case "120000": kind = .link
    case "160000":
      return entry(
        .refused(
          refused(path, "is a submodule, which is not fetched", hint: "put the files into the repository itself")))
    default: return entry(.refused(refused(path, "has a mode that Signet does not know", found: words[0])))
    }
    guard let size = Int(words[3]), size >= 0 else {
      return entry(.refused(refused(path, "has no size", found: words[3])))
    }
    return entry(kind, size: size)
  }

  /// Whether a name is that of a repository, also where case does not count and on Windows.
  private static func isRepository(_ name: Substring.UTF8View) -> Bool {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    return name.isExactly(".git") || name.isExactly("git~1")
  }

  static func refused(
    _ path: String, _ message: String, found: String? = nil, cause: SignetError? = nil, hint: String? = nil
  ) -> SignetError {
    SignetError(.gitTree, path.display, message, found: found?.display, cause: cause, hint: hint)
  }
}
