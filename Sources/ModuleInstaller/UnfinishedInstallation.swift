internal import ModuleResolver
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetSystem

/// The modules of an installation whose lock is not written yet, kept in a file of the store.
///
/// If the installation is ended in between, no lock says which modules are in the store because of it. The next one
/// removes those of them that its own lock does not have. The file is in the store, and not in the project: what is in
/// version control removes nothing.
struct UnfinishedInstallation {
  private let path: String
  /// The modules that an earlier installation was concerned with, and did not finish.
  let modules: [LockedModule]

  /// Looks for what an earlier installation has left.
  ///
  /// - Throws: `lockfile.…`; `file.…`.
  init(in store: ModuleStore) throws(SignetError) {
    path = "\(store.path)/\(ModuleStore.unfinishedName)"
    do throws(SignetError) {
      let file = try RegularFile(openingNoFollow: path)
      modules = try ModuleLock(file.bytes(limit: ModuleLock.sizeLimit)).modules
    } catch  where error.code == .fileMissing {
      modules = []
    } catch {
      var error = error.about(path)
      error.hint = "remove it; modules that are in no lock then stay in the store: signet module list"
      throw error
    }
  }

  /// Notes the modules of locks, besides those that are noted already.
  ///
  /// - Throws: `output.…`; `lockfile.count`.
  func begin(_ locks: [ModuleLock]) throws(SignetError) {
    var known: Set<ModuleIdentifier> = []
    let all = (modules + locks.flatMap(\.modules)).filter { known.insert($0.identifier).inserted }
    try OutputFile.write(Array(ModuleLock(all).text.utf8), to: path, .replace(unless: []))
  }

  /// Forgets them: their lock is written.
  ///
  /// - Throws: `output.failed`.
  func end() throws(SignetError) { try OutputFile.remove(path) }
}
