internal import ModuleResolver
public import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem

/// The folder where a host's build finds the sources of modules: each in a folder named after its module.
///
/// A folder that Signet has written has a file `.signet-source` in it. No other folder is ever replaced or removed.
public struct SourcesFolder: Sendable {
  /// The path of the folder.
  public let path: String

  /// The file that says that a folder is Signet's.
  static let mark = ".signet-source"
  private static let markText = "Signet has unpacked this folder, and replaces it.\n"

  /// Where sources are, and whether that has changed.
  typealias Unpacked = (path: String, isChanged: Bool)

  /// Names a folder, which need not exist yet.
  public init(_ path: String) { self.path = path }

  /// The place of a module's sources.
  public func place(of module: ModuleIdentifier) -> String { "\(path)/\(module)" }

  /// Checks that nothing of somebody else is at the place of a module's sources.
  ///
  /// - Throws: `install.source-folder`; `file.…` if that cannot be found out.
  func check(_ module: ModuleIdentifier) throws(SignetError) {
    guard let folder = try opened() else { return }
    _ = try isOwn("\(module)", in: folder)
  }

  /// The folder; nil if it is missing. One that cannot be read may have sources in it.
  private func opened() throws(SignetError) -> Directory? {
    do throws(SignetError) { return try Directory(opening: path) } catch  where error.code == .fileMissing {
      return nil
    }
  }

  /// Unpacks sources, whole or not at all. A folder that already has the same files stays as it is, so that a build does
  /// not start anew.
  ///
  /// - Parameter began: is told of the draft, which is removed at an interruption.
  /// - Returns: the place, and whether other files are there now than before.
  /// - Throws: `install.source-folder`, `extraction.failed`, `output.failed`, `file.…`.
  func put(
    _ sources: SourceArchive, of module: ModuleIdentifier, _ began: (String) -> Void
  ) throws(SignetError) -> Unpacked {
    try put(module, began) { (draft) throws(SignetError) in
      try sources.unpack(into: draft)
      return SourceArchive.folder
    }
  }

  /// Writes the files of a commit, whole or not at all, as ``put(_:of:_:)`` unpacks sources.
  ///
  /// - Throws: what ``put(_:of:_:)`` throws; `git.…`.
  func put(
    _ tree: GitTree, from git: GitProgram, of module: ModuleIdentifier, _ began: (String) -> Void
  ) throws(SignetError) -> Unpacked {
    try put(module, began) { (draft) throws(SignetError) in
      let name = "files"
      do throws(SystemFailure) { _ = try draft.makeSubdirectory(name, mode: 0o755) } catch {
        throw SignetError(.outputFailed, draft.path, "cannot be written", cause: error)
      }
      try tree.write(into: draft.subdirectory(name), from: git, ArchiveLimits())
      return name
    }
  }

  /// Replaces the folder of a module by one that a body makes.
  ///
  /// - Parameters:
  ///   - began: is told of the draft, which is removed at an interruption.
  ///   - body: fills an empty directory, and gives the name of the folder in it.
  /// - Returns: the place, and whether other files are there now than before.
  func put(
    _ module: ModuleIdentifier, _ began: (String) -> Void, _ body: (Directory) throws(SignetError) -> String
  ) throws(SignetError) -> Unpacked {
    let place = place(of: module)
    try Self.make(path)
    let folder = try Directory(opening: path)
    let name = "\(module)"
    let isThere = try isOwn(name, in: folder)
    TemporaryDirectory.sweep(folder)
    let draft = try TemporaryDirectory(in: path)
    began(draft.path)
    let content = try Directory(opening: draft.path)
    let made = try body(content)
    try OutputFile.write(Array(Self.markText.utf8), to: "\(draft.path)/\(made)/\(Self.mark)", .keep)
    if isThere, try FolderComparison.areSame(folder.subdirectory(name), content.subdirectory(made)) {
      return (place, false)
    }
    do throws(SystemFailure) {
      if isThere { try folder.move(name, to: content, as: Self.replaced) }
      do throws(SystemFailure) { try content.move(made, to: folder, as: name) } catch {
        if isThere { try? content.move(Self.replaced, to: folder, as: name) }
        throw error
      }
    } catch {
      throw SignetError(.outputFailed, place, "cannot be written", cause: error)
    }
    return (place, true)
  }

  /// The name of a replaced folder in the draft. No module and no folder of sources is called so.
  private static let replaced = ".replaced"

  /// Removes the sources of a module, if Signet has unpacked them.
  ///
  /// - Returns: whether something was removed.
  /// - Throws: `output.failed`; `file.…` if it cannot be found out whether there are some.
  @discardableResult
  public func remove(_ module: ModuleIdentifier) throws(SignetError) -> Bool {
    guard let folder = try opened() else { return false }
    do throws(SignetError) {
      guard try isOwn("\(module)", in: folder) else { return false }
    } catch  where error.code == .installSourceFolder { return false }
    do throws(SystemFailure) { try folder.removeTree(named: "\(module)") } catch {
      throw SignetError(.outputFailed, place(of: module), "cannot be removed", cause: error)
    }
    return true
  }

  /// Whether a module has a folder, which Signet has written.
  ///
  /// - Throws: `install.source-folder` for what somebody else has put there; `file.unreadable`.
  private func isOwn(_ name: String, in folder: Directory) throws(SignetError) -> Bool {
    do throws(SystemFailure) {
      guard try folder.status(of: name) != nil else { return false }
    } catch { throw SignetError(.fileUnreadable, "\(path)/\(name)", "cannot be read", cause: error) }
    guard let found = try? folder.subdirectory(name), (try? found.file(Self.mark)) != nil else {
      throw SignetError(
        .installSourceFolder, "\(path)/\(name)", "is not a folder that Signet has unpacked, so it is not replaced",
        expected: "nothing, or a folder with \(Self.mark)",
        hint: "move it away, or name another folder with --sources")
    }
    return true
  }

  private static func make(_ path: String) throws(SignetError) {
    do throws(SystemFailure) { _ = try Directory.make(path, mode: 0o755) } catch {
      throw SignetError(.outputFailed, path, "cannot be created", cause: error)
    }
  }
}

/// The comparison of two folders: the same entries with the same bytes and the same permissions.
enum FolderComparison {
  /// More than a source archive or a commit has.
  private static let limits = DirectoryScan.Limits(entries: 40_000, pathLength: 4095, depth: 128)

  static func areSame(_ left: Directory, _ right: Directory) throws(SignetError) -> Bool {
    guard let known = try? DirectoryScan(left, limits: limits) else { return false }
    let new = try DirectoryScan(right, limits: limits)
    guard known.entries.count == new.entries.count else { return false }
    for (old, new) in zip(known.entries, new.entries) {
      guard old.path == new.path, old.status.kind == new.status.kind, old.status.mode == new.status.mode,
        old.target == new.target
      else { return false }
      guard new.status.kind == .regular else { continue }
      guard old.status.size == new.status.size, try left.file(old).sha256() == right.file(new).sha256() else {
        return false
      }
    }
    return true
  }
}
