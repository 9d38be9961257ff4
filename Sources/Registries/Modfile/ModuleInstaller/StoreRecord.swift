internal import ModuleResolver
package import ModuleStore
package import Signet
package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// What installations of a Modfile have put into a store and into the folder of sources, kept in the store in the form of
/// locks.
///
/// A module that is in the record and not in the lock to install has left the project, and is removed. A lock of before in
/// the project cannot say that: version control replaces it together with the Modfile. So nothing in version control
/// removes a module that this store did not get from a Modfile: not a module of a folder, which somebody installs by hand,
/// and not one of a target that was never installed here.
///
/// The record has two lists. The finished one has what finished installations left in the store. The note has what a running
/// installation is about to place; it is written before the store changes, as the two files cannot change in one moment. A
/// release of the note counts only if the store lists it, so a run that ended before the change has placed nothing.
///
/// What was in the store before an installation is somebody else's until the installation has finished with it. So the note
/// names no release that is there already, unless the finished list counts it. A release that somebody installs by hand
/// after a run was killed may stand in that run's note. The store keeps a list of what was installed by hand, and nothing of
/// that list counts.
struct StoreRecord {
  private let store: ModuleStore
  /// The releases that finished installations left in the store. Those before them in sequence are theirs, too.
  private var installed: File
  /// The releases that an installation places now, or had not finished with when it ended.
  private var placing: File
  /// The modules whose sources may be in their folder. It has a mark, so that nobody else's is removed.
  private var unpacked: File
  /// The files that the listed releases were installed from.
  private var listed: [ModuleIdentifier: [Int: Digest]]
  /// The names of releases that the note may have, and that did not come from its run.
  private var byHand: Set<String>
  private var hasBegun = false

  /// Reads the record of a store. A store without one has got nothing from a Modfile.
  ///
  /// - Throws: `lockfile.…`; `store.…`, `file.…`.
  init(of store: ModuleStore) throws(SignetError) {
    self.store = store
    installed = try File(ModuleStore.recordName, in: store)
    placing = try File(ModuleStore.placingName, in: store)
    unpacked = try File(ModuleStore.unpackedName, in: store)
    listed = try store.listedFiles()
    byHand = try store.releasesByHand()
  }

  // MARK: What it says

  /// The modules that may be in the store, or unpacked, because of a Modfile.
  var modules: [LockedModule] {
    Self.once(storedModules + installed.modules + unpacked.modules)
  }

  /// The releases that the store has because of a Modfile. Of each module it is the last one.
  var storedModules: [LockedModule] {
    let placed = placing.modules.filter { module in
      !byHand.contains("\(ModuleStore.ReleaseName(identifier: module.identifier, sequence: module.sequence))")
    }
    let pairs = (installed.modules + placed).filter(isListed).map { ($0.identifier, $0) }
    return Array(Dictionary(pairs) { $0.sequence < $1.sequence ? $1 : $0 }.values)
  }

  /// Whether the store lists the very release, of which it has the file that the lock names.
  func isListed(_ module: LockedModule) -> Bool {
    guard let file = module.archive else { return false }
    return listed[module.identifier]?[module.sequence] == file
  }

  /// What is unpacked of a module because of a Modfile.
  func unpackedModule(_ module: ModuleIdentifier) -> LockedModule? {
    unpacked.modules.first { $0.identifier == module }
  }

  /// What the store has of some modules because of a Modfile: the highest sequence that came from one.
  func sequences(of modules: [LockedModule]) -> [ModuleIdentifier: Int] {
    let names = Set(modules.map(\.identifier))
    return Dictionary(
      storedModules.filter { names.contains($0.identifier) }.map { ($0.identifier, $0.sequence) }
    ) { first, _ in first }
  }

  // MARK: An installation

  /// Writes down what is about to be done.
  ///
  /// - Parameters:
  ///   - releases: what is to be in the store.
  ///   - new: the modules of which the store does not list the release yet.
  ///   - sources: what is to be unpacked.
  /// - Throws: `output.…`; `lockfile.count`, `lockfile.size`.
  mutating func begin(
    _ releases: [LockedModule], new: Set<ModuleIdentifier>, unpacking sources: [LockedModule]
  ) throws(SignetError) {
    hasBegun = true
    // First: nobody else's is removed because of it. Records of earlier versions have sources among the releases.
    try unpacked.write(Self.once(unpacked.modules + sources + installed.modules.filter { !isListed($0) }))
    // What an ended run has placed must not be forgotten with its note, and the note before what is not its.
    try installed.write(storedModules)
    try forgetNote()
    // Also what was there before our release: after the change it is our last one. What was there behind ours is not.
    let ours = sequences(of: releases)
    try placing.write(
      releases.filter { new.contains($0.identifier) || $0.sequence < ours[$0.identifier] ?? $0.sequence })
  }

  /// Takes back what an installation has not done that failed, as far as that is possible: the next one does the rest.
  mutating func end() {
    guard hasBegun else { return }
    // A note that stays is read by the next installation as that of a run that was killed: it says no more than is listed.
    _ = try? settle()
  }

  private mutating func settle() throws(SignetError) {
    listed = try store.listedFiles()
    try installed.write(storedModules)
    try forgetNote()
  }

  private mutating func forgetNote() throws(SignetError) {
    try placing.write([])
    // Last: without it, what it names would be the note's.
    try store.forgetReleasesByHand()
    byHand = []
  }

  /// Writes down what was done.
  ///
  /// - Parameters:
  ///   - lock: what was installed.
  ///   - releases: what is in the store now. This includes what somebody had installed by hand: the Modfile wants it.
  ///   - sources: what is unpacked now.
  /// - Throws: `output.…`, `lockfile.…`; `store.…`, `file.…`.
  mutating func finish(
    _ lock: ModuleLock, installed releases: [LockedModule], unpacked sources: [LockedModule]
  ) throws(SignetError) {
    listed = try store.listedFiles()
    let binary = Set(releases.map(\.identifier))
    try unpacked.write(
      Self.once(sources + unpacked.modules).filter { module in
        !(lock[module.identifier]?.isLocal ?? true) && !binary.contains(module.identifier)
      })
    // Last, since it makes what was there the Modfile's: an installation that fails does not.
    let kept = Self.once(releases.filter(isListed) + storedModules)
    try installed.write(kept.filter { lock[$0.identifier] != nil })
    // A note that stays says no more than that, and the next installation removes it.
    _ = try? forgetNote()
  }

  /// The first entry of each module.
  private static func once(_ modules: [LockedModule]) -> [LockedModule] {
    var known: Set<ModuleIdentifier> = []
    return modules.filter { known.insert($0.identifier).inserted }
  }

  /// A file of the record. A file without modules is missing.
  private struct File {
    let path: String
    private(set) var modules: [LockedModule]
    /// Whether writing has failed: then nobody knows what the file has.
    private var isUnknown = false

    init(_ name: String, in store: ModuleStore) throws(SignetError) {
      path = "\(store.path)/\(name)"
      do throws(SignetError) {
        let file = try RegularFile(openingNoFollow: path)
        modules = try ModuleLock(file.bytes(limit: ModuleLock.sizeLimit)).modules
      } catch  where error.code == .fileMissing {
        modules = []
      } catch {
        var error = error.about(path)
        error.hint =
          "remove it; modules that are in no lock then stay; list them: signet store list --store DIR --policy POLICY"
        throw error
      }
    }

    mutating func write(_ new: [LockedModule]) throws(SignetError) {
      let lock = try ModuleLock(new)
      guard lock.modules != modules || isUnknown else { return }
      let text = Array(lock.text.utf8)
      guard text.count <= ModuleLock.sizeLimit else {
        throw SignetError(
          .lockfileSize, path, "is too large", expected: "at most \(ModuleLock.sizeLimit) bytes",
          found: "\(text.count)")
      }
      isUnknown = true
      if new.isEmpty {
        try OutputFile.remove(path)
      } else {
        try OutputFile.write(text, to: path, .replace(unless: []))
      }
      modules = lock.modules
      isUnknown = false
    }
  }
}

extension ModuleStore {
  /// Whether a listed release came from a Modfile, so that it is removed once no lock has the module.
  ///
  /// - Throws: `lockfile.…`; `store.…`, `file.…`.
  package func isOfModfile(_ module: ModuleIdentifier, _ sequence: Int) throws(SignetError) -> Bool {
    try StoreRecord(of: self).storedModules.contains { $0.identifier == module && $0.sequence >= sequence }
  }
}

extension LockedModule {
  /// The digest of the file that the module is installed from; nil for what has none, such as a folder.
  fileprivate var archive: Digest? {
    switch served?.content {
    case .registry(let digests): digests.archive
    case .spec(let release): release.archive
    case nil: nil
    }
  }
}
