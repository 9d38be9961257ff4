public import ModuleResolver
public import SignetBase
internal import SignetFiles
internal import SignetSystem

/// What a run writes into a project: the lock that it has made, and the Modfile if it edits that.
///
/// Releases are chosen and fetched before anybody is kept out. So what they were chosen from is read again, once no other
/// run can install: a run that was overtaken changes nothing.
public final class ProjectChange {
  /// A file of the project.
  private struct File<Content: Equatable> {
    let path: String
    let before: Content
    let after: Content
    let draft: OutputDraft?
  }

  private let files: ProjectFiles
  private let modfile: File<[UInt8]>
  private let lock: File<ModuleLock?>
  private var lockIsWritten = false

  /// Writes drafts of what changes: what cannot be written is found out before anything is done.
  ///
  /// - Parameters:
  ///   - before: what was read.
  ///   - modfile: the new text of the Modfile.
  ///   - lock: the new lock.
  /// - Throws: `output.…`.
  public init(
    of files: ProjectFiles, from before: (modfile: [UInt8], lock: ModuleLock?), to modfile: [UInt8],
    _ lock: ModuleLock
  ) throws(SignetError) {
    self.files = files
    self.modfile = File(
      path: files.modfile, before: before.modfile, after: modfile,
      draft: modfile == before.modfile ? nil : try Self.draft(modfile, to: files.modfile))
    self.lock = File(
      path: files.lock, before: before.lock, after: lock,
      draft: lock == before.lock ? nil : try Self.draft(Array(lock.text.utf8), to: files.lock))
  }

  private static func draft(_ bytes: [UInt8], to path: String) throws(SignetError) -> OutputDraft {
    let draft = try OutputDraft(to: path, .replace(unless: []))
    try draft.write(bytes)
    return draft
  }

  /// The names of the drafts, which an interruption removes.
  public var drafts: [String] { [modfile.draft, lock.draft].compactMap { $0?.temporaryName } }

  /// Checks that the project still is what the run began with, or has the same lock already.
  ///
  /// - Throws: `install.changed`; `install.link`, `lockfile.…`, `modfile.…`, `file.…`.
  func check() throws(SignetError) {
    guard try files.read().bytes == modfile.before else { throw Self.overtaken(modfile.path) }
    let found = try files.readLock()
    lockIsWritten = found == lock.after
    guard lockIsWritten || found == lock.before else { throw Self.overtaken(lock.path) }
  }

  private static func overtaken(_ path: String) -> SignetError {
    SignetError(
      .installChanged, path, "was changed while this command ran, so nothing is done", expected: "as it was read",
      hint: "run the command again")
  }

  /// Gives what has changed its name: first the Modfile, then the lock.
  ///
  /// - Throws: `output.…`.
  func publish() throws(SignetError) {
    try modfile.draft?.publish()
    if !lockIsWritten { try lock.draft?.publish() }
  }
}
