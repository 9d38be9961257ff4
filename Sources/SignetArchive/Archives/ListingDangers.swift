package import SignetBase
internal import SignetSystem

/// The dangers of an archive's paths, entry by entry: what leads out, what is there twice, and what is no file.
package struct ListingDangers {
  private var known: KnownPaths
  private let isRooted: Bool
  private let checksCase: Bool
  private let comparesFiles: Bool
  private var directories: Set<[UInt8]> = []
  /// The maximum number of paths that are compared, with the directories that only paths name.
  private static let pathLimit = 400_000
  /// The first danger.
  package private(set) var danger: SignetError?
  /// The names that several files have, and what is said of each if they have different bytes.
  package private(set) var repeatedFiles: [(name: [UInt8], error: SignetError)] = []
  /// The maximum number of these names.
  private static let repeatLimit = 1000
  /// The first thing that modules cannot have, and that is no danger.
  package private(set) var form: SignetError?

  /// - Parameters:
  ///   - isPackage: whether the archive is a package of Linux, which is unpacked at the root of a file system that tells
  ///     capital letters from small ones.
  ///   - isUnpacked: whether its files are put into a folder, which may be of a system that does not tell these letters.
  ///   - comparesFiles: whether files with one name are compared, and are a danger only if they differ.
  package init(isPackage: Bool, isUnpacked: Bool = true, comparesFiles: Bool = false) {
    known = KnownPaths(count: 0)
    isRooted = isPackage
    checksCase = !isPackage && isUnpacked
    self.comparesFiles = comparesFiles
  }

  /// Looks at the next entry.
  package mutating func note(_ entry: ListedEntry) {
    guard !entry.name.bytes.isEmpty else { return }
    // What was cut could lead out, or be the same as another name.
    guard !Self.isCut(entry) else {
      return note(
        SignetError(
          .pathBounds, entry.path, "has a path, or is a link to one, that is too long to be compared",
          expected: "at most \(ArchiveListing.nameLimit) bytes"))
    }
    if !entry.name.isUTF8 {
      form = form ?? SignetError(.pathNotUTF8, entry.path, "a path in the archive is not UTF-8")
    }
    if let found = PathDanger.of(entry.name, isRooted: isRooted) { return note(found) }
    noteKind(entry)
    if form == nil {
      do throws(SignetError) {
        try EntryPath.check(entry.path)
        try EntryPath.checkPortable(entry.path)
      } catch { form = error }
    }
    guard entry.path.utf8.count(where: { $0 == UInt8(ascii: "/") }) < EntryPath.depthLimit else {
      return note(
        SignetError(
          .pathBounds, entry.path, "is nested too deeply", expected: "at most \(EntryPath.depthLimit) names"))
    }
    guard known.count < Self.pathLimit else {
      return note(
        SignetError(
          .archiveEntryCount, "archive", "has too many paths to be compared", expected: "at most \(Self.pathLimit)"))
    }
    // Programs that add to an archive list its directories again.
    let isDirectory = entry.kind == .directory
    guard !entry.name.names.isEmpty else { return }
    if isDirectory, !directories.insert(entry.name.plain).inserted { return }
    do throws(SignetError) {
      try known.note(entry.name, isDirectory: isDirectory)
    } catch {
      if error.code == .pathCaseCollision, !checksCase {
        form = form ?? error
      } else if error.code == .archiveDuplicatePath, comparesFiles, repeatedFiles.count < Self.repeatLimit,
        case .file = entry.kind
      {
        repeatedFiles.append((entry.name.plain, error))
      } else {
        note(error)
      }
    }
  }

  /// Looks at the next member of a library. A linker tells members by their places, so several may have one name.
  package mutating func note(memberOfLibrary name: ListedName) {
    guard !name.isCut else {
      return note(
        SignetError(
          .pathBounds, name.text, "has a name that is too long",
          expected: "at most \(ArchiveListing.nameLimit) bytes"))
    }
    if let found = PathDanger.of(memberOfLibrary: name) { note(found) }
  }

  private static func isCut(_ entry: ListedEntry) -> Bool {
    switch entry.kind {
    case .symbolicLink(let target), .hardLink(let target): target.isCut || entry.name.isCut
    case .file, .directory, .special: entry.name.isCut
    }
  }

  private mutating func noteKind(_ entry: ListedEntry) {
    switch entry.kind {
    case .file, .directory: break
    case .symbolicLink(let target):
      if let found = PathDanger.of(target: target, ofLinkAt: entry.name, isRooted: isRooted) { note(found) }
    case .hardLink(let target):
      form = form ?? SignetError(.archiveHardLink, entry.path, "is a hard link", expected: "a file of its own")
      if var found = PathDanger.of(target) {
        found.found = target.text
        note(found.about(entry.path))
      }
    case .special:
      // Every program makes the same of it, or passes it over.
      form =
        form
        ?? SignetError(
          .archiveSpecialFile, entry.path, "is not a file, a directory or a symbolic link",
          expected: "files, directories and symbolic links", found: "a pipe, device or socket")
    }
    if entry.mode & 0o7000 != 0, form == nil {
      form = SignetError(
        .archiveSpecialMode, entry.path, "has set-user-ID, set-group-ID or the sticky bit", expected: "0000 to 0777",
        found: FileMode.text(entry.mode))
    }
  }

  private mutating func note(_ found: SignetError) { danger = danger ?? found }
}
