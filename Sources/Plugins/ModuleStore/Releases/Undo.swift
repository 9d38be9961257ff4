internal import Signet
internal import SignetBase

/// A release that is being put in its place, and the way to take it back.
struct Undo {
  let store: ModuleStore
  let module: ModuleIdentifier
  let release: StoreState.Release
  /// Its name in `staging/`.
  let staged: String

  /// The name in `staging/` of what it has replaced.
  private var replaced: String?
  private var isNewModule = false
  private var isPlaced = false

  init(store: ModuleStore, module: ModuleIdentifier, release: StoreState.Release, staged: String) {
    self.store = store
    self.module = module
    self.release = release
    self.staged = staged
  }

  /// Moves the release to its place, and syncs the names to the disk. Its content is there already.
  mutating func place() throws(SignetError) {
    isNewModule = try store.modules.makeFolder("\(module)")
    let home = try store.modules.folder("\(module)")
    if isNewModule { try home.share() }
    let name = release.folderName
    if try home.has(name), try !setAside(name, of: home) {
      try store.staging.overwrite(home, name, with: staged)
      // As after unpacking, this covers every name that was changed, at any depth.
      try home.syncFileSystem()
    } else {
      try store.staging.move(staged, to: home, as: name)
      isPlaced = true
    }
    try home.sync()
    try store.modules.sync()
    try store.staging.sync()
  }

  /// Moves what is in the release's place out of it. That is damaged, or was left by an interrupted change and so is
  /// not listed. A process may have it open.
  ///
  /// - Returns: false if it cannot be moved; then nothing has changed.
  private mutating func setAside(_ name: String, of home: StoreFolder) throws(SignetError) -> Bool {
    let aside = StagingName.new(StagingName.removed)
    do throws(SignetError) {
      try home.move(name, to: store.staging, as: aside)
    } catch  where error.isAboutLayers {
      return false
    }
    replaced = aside
    return true
  }

  /// Removes what was written, as far as possible. The next change removes the rest. A damaged release that was
  /// overwritten stays as it is now: it is verified whenever it is opened.
  func run() {
    if let home = try? store.modules.folder("\(module)") {
      if isPlaced { try? home.move(release.folderName, to: store.staging, as: staged) }
      if let replaced { try? store.staging.move(replaced, to: home, as: release.folderName) }
    }
    try? store.staging.remove(staged)
    if isNewModule { try? store.modules.remove("\(module)") }
  }
}
