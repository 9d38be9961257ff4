package import SignetBase
package import SignetNames
internal import SignetSystem

/// The dangers of an archive's paths, entry by entry: what leads out, what is there twice, and what is no file.
package struct ListingDangers {
  /// What becomes of an archive's files.
  package enum Use: Sendable, Equatable {
    /// They are put into a folder, which may be of a system that does not tell capital letters from small ones.
    case unpacked
    /// Programs read them where they are, as Java and Android do.
    case readInPlace
    /// They are unpacked at the root of Linux: those of a package, or of a system that starts.
    case root
  }

  /// What files mean that have one name.
  package enum Repeats: Sendable, Equatable {
    /// They are a danger: nobody compares them.
    case refused
    /// They are compared, and are a danger only if they differ.
    case compared
  }

  private let use: Use
  private let repeats: Repeats
  private var known = KnownPaths(count: 0)
  private var directories: Set<[UInt8]> = []
  /// The maximum number of paths that are compared, with the directories that only paths name.
  private static let pathLimit = 400_000
  /// The first danger.
  package private(set) var danger: SignetError?
  /// The names that several files have, and what is said of each if they have different bytes.
  package private(set) var repeatedFiles: [(name: [UInt8], error: SignetError)] = []
  /// The maximum number of these names: as many as a module may have entries. An archive to which a whole folder was added
  /// again has each of its names twice.
  private static let repeatLimit = 20_000
  /// The first thing that modules cannot have, and that is no danger.
  package private(set) var form: SignetError?

  /// - Parameters:
  ///   - use: what becomes of the files.
  ///   - repeats: what files mean that have one name.
  package init(_ use: Use, repeats: Repeats = .refused) {
    self.use = use
    self.repeats = repeats
  }

  private var isRooted: Bool { use == .root }

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
      if error.code == .pathCaseCollision, use != .unpacked {
        form = form ?? error
      } else if error.code == .archiveDuplicatePath, repeats == .compared, repeatedFiles.count < Self.repeatLimit,
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
