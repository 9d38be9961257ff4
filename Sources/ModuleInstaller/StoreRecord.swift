internal import ModuleResolver
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetSystem

/// What installations of a Modfile have put into a store and into the folder of sources, kept in the store in the form of a
/// lock.
///
/// A module that is in the record and not in the lock to install has left the project, and is removed. A lock of before in
/// the project cannot say that: version control replaces it together with the Modfile. So nothing in version control
/// removes a module that this store did not get from a Modfile: not a module of a folder, which somebody installs by hand,
/// and not one of a target that was never installed here.
///
/// While an installation runs, the record has what it is going to install, too. If it is ended in between, the next one
/// finds all modules that may be in the store because of it.
struct StoreRecord {
  private let path: String
  /// The modules that may be in the store, or unpacked, because of a Modfile.
  private(set) var modules: [LockedModule]

  /// Reads the record of a store. A store without one has got nothing from a Modfile.
  ///
  /// - Throws: `lockfile.…`; `file.…`.
  init(of store: ModuleStore) throws(SignetError) {
    path = "\(store.path)/\(ModuleStore.recordName)"
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

  /// Adds modules, before any of them is installed.
  ///
  /// - Throws: `output.…`; `lockfile.count`, `lockfile.size`.
  mutating func add(_ installed: [LockedModule]) throws(SignetError) {
    let known = Set(installed.map(\.identifier))
    try write(installed + modules.filter { !known.contains($0.identifier) })
  }

  /// Forgets modules that are there no longer, or are somebody else's: the installation is finished.
  ///
  /// - Throws: `output.…`.
  mutating func forget(_ gone: (LockedModule) -> Bool) throws(SignetError) {
    try write(modules.filter { !gone($0) })
  }

  private mutating func write(_ new: [LockedModule]) throws(SignetError) {
    let lock = try ModuleLock(new)
    guard lock.modules != modules else { return }
    let text = Array(lock.text.utf8)
    guard text.count <= ModuleLock.sizeLimit else {
      throw SignetError(
        .lockfileSize, path, "is too large", expected: "at most \(ModuleLock.sizeLimit) bytes",
        found: "\(text.count)")
    }
    try OutputFile.write(text, to: path, .replace(unless: []))
    modules = lock.modules
  }
}
