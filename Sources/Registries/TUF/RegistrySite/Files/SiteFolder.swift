internal import SignetBase
internal import SignetFiles
internal import SignetSystem

/// The folder of a site, which may have files of others, too.
///
/// A file is replaced in one step, and only if its bytes change. Nothing is synced: what a loss of power damages differs
/// from what it should be, so the next run writes it again.
struct SiteFolder {
  /// What was done.
  struct Changes {
    let files: Int
    var written: [String] = []
    var removed: [String] = []
  }

  private let path: String

  private static let lockName = ".signet-site.lock"
  private static let draftName = ".signet-site.new"
  /// The longest wait for another process, in milliseconds.
  private static let patience = 120_000

  init(_ path: String) { self.path = path }

  /// Makes the folder have these files of the site, and no others of it.
  ///
  /// - Throws: what ``RegistrySite/write(to:at:)`` throws of writing.
  func write(_ files: [SiteFile]) throws(SignetError) -> Changes {
    try make(path)
    let folder = try Directory(opening: path)
    let lock = try lock(folder)
    defer { withExtendedLifetime(lock) {} }
    let old = try SiteList(in: folder)
    let paths = try files.map { (file) throws(SignetError) in try file.path.text() }
    let new = SiteList(paths)
    for path in paths where !old.paths.contains(path) { try checkFree(path, in: folder) }
    for name in SitePath.folders { try make(self.path + "/" + name) }
    var folders = [folder]
    for name in SitePath.folders { folders.append(try folder.subdirectory(name)) }
    // If this run is killed, the next one knows all files that may be there.
    try replace(SiteList.name, in: folder, with: old.union(new).bytes)
    var changes = Changes(files: files.count)
    for (file, path) in zip(files, paths) {
      let (place, name) = Self.place(path, folders)
      if try replace(name, in: place, with: file.bytes()) { changes.written.append(path) }
    }
    for path in old.paths.subtracting(new.paths).sorted() {
      do throws(SystemFailure) { try folder.removeFile(path) } catch {
        throw SignetError(.outputFailed, "\(self.path)/\(path)", "cannot be removed", cause: error)
      }
      changes.removed.append(path)
    }
    try replace(SiteList.name, in: folder, with: new.bytes)
    return changes
  }

  private func make(_ path: String) throws(SignetError) {
    do throws(SystemFailure) { _ = try Directory.make(path, mode: 0o755) } catch {
      throw SignetError(
        .outputFailed, path, "cannot be created", cause: error,
        hint: "check that the folder above it is there and writable")
    }
  }

  private func lock(_ folder: Directory) throws(SignetError) -> LockFile {
    do throws(SystemFailure) {
      let lock = try LockFile(Self.lockName, in: folder, isMade: true)
      if try lock.take(.exclusive, patience: Self.patience) { return lock }
    } catch {
      throw SignetError(
        .outputFailed, path, "cannot be locked", cause: error, hint: "check that the folder is writable")
    }
    throw SignetError(
      .fileLocked, path, "is being written by another process", hint: "run the command again when it has finished")
  }

  /// Checks that nothing has the name of a file that the site does not have yet.
  private func checkFree(_ path: String, in folder: Directory) throws(SignetError) {
    guard (try? FileStatus(ofLink: "\(folder.path)/\(path)")) != nil else { return }
    throw SignetError(
      .outputExists, "\(self.path)/\(path)", "is in the way, and is not a file of the site",
      hint: "choose an empty folder, or move the file away")
  }

  private static func place(_ path: String, _ folders: [Directory]) -> (Directory, String) {
    for (number, name) in SitePath.folders.enumerated() where path.utf8.starts(with: "\(name)/".utf8) {
      return (folders[number + 1], String(path.dropFirst(name.count + 1)))
    }
    return (folders[0], path)
  }

  /// Writes a file unless it has the bytes already.
  ///
  /// - Returns: whether it was written.
  @discardableResult
  private func replace(_ name: String, in folder: Directory, with bytes: [UInt8]) throws(SignetError) -> Bool {
    let path = "\(folder.path)/\(name)"
    if let file = try? RegularFile(openingNoFollow: path), file.size == bytes.count,
      (try? file.bytes(limit: bytes.count)) == bytes
    {
      return false
    }
    do throws(SystemFailure) {
      try folder.removeFile(Self.draftName)
      let draft = try folder.newFile(Self.draftName)
      try draft.append(bytes)
      _ = try draft.finish(mode: 0o644)
      try folder.replace(name, in: folder, with: Self.draftName)
    } catch {
      throw SignetError(.outputFailed, path, "cannot be written", cause: error)
    }
    return true
  }
}

/// The list of the files that a site has written: what may be replaced and removed.
struct SiteList {
  let paths: Set<String>

  static let name = ".signet-site"
  private static let head = "signet site 1"
  /// The most bytes of a list: the paths of some hundred thousand modules.
  private static let sizeLimit = 64 << 20

  init(_ paths: [String]) { self.paths = Set(paths) }

  /// Reads the list of a folder; a folder without one has no files of a site.
  ///
  /// - Throws: `repo.site-list`; `file.…`.
  init(in folder: Directory) throws(SignetError) {
    let path = "\(folder.path)/\(Self.name)"
    let bytes: [UInt8]
    do throws(SignetError) { bytes = try RegularFile(openingNoFollow: path).bytes(limit: Self.sizeLimit) } catch
      where error.code == .fileMissing
    {
      paths = []
      return
    }
    // The last line ends, too.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let first = lines.first, first.isExactly(Self.head), lines.count > 1, lines[lines.count - 1].isEmpty else {
      throw Self.wrong(path, "\(lines.first?.display ?? "")")
    }
    let names = lines.dropFirst().dropLast()
    // A path of another form could name a file of somebody else.
    if let other = names.first(where: { !SitePath.isPath($0) }) { throw Self.wrong(path, other.display) }
    paths = Set(names)
  }

  func union(_ other: SiteList) -> SiteList { SiteList(Array(paths.union(other.paths))) }

  /// The text of the list.
  var bytes: [UInt8] { Array(([Self.head] + paths.sorted()).map { $0 + "\n" }.joined().utf8) }

  private static func wrong(_ path: String, _ found: String) -> SignetError {
    SignetError(
      .repoSiteList, path, "is not the list of a site's files", expected: "\(head), then a path in each line",
      found: found, hint: "choose an empty folder for the site")
  }
}
