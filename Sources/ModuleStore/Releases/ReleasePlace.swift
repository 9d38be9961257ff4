internal import Signet
internal import SignetBase
internal import SignetSystem

/// Where a release lies in a store: by names that are looked up one by one from the store's own descriptors, through no link, so that
/// who goes on to use it keeps no descriptor.
///
/// Another directory may come to stand there: what is read is held against what was signed, so that one serves as well as the
/// other, as after a repair. What was removed lies in `staging/` as long as somebody uses the store.
struct ReleasePlace: Sendable {
  private let modules: StoreFolder
  private let staging: StoreFolder
  private let module: ModuleIdentifier
  private let release: String
  /// The directory that was found there first.
  private let identity: FileStatus.Identity

  /// Things in `staging/` that are looked at: as many as are cleared away at once.
  private static let removedLimit = 4096

  /// - Throws: what ``folder()`` throws.
  init(_ release: String, of module: ModuleIdentifier, in store: ModuleStore) throws(SignetError) {
    modules = store.modules
    staging = store.staging
    self.module = module
    self.release = release
    identity = try store.modules.folder("\(module)").folder(release).directory.status.identity
  }

  /// Opens the release's directory.
  ///
  /// - Throws: `file.missing`, `file.not-directory`, `file.others-may-write`.
  func folder() throws(SignetError) -> StoreFolder {
    do throws(SignetError) {
      return try modules.folder("\(module)").folder(release)
    } catch  where error.code == .fileMissing {
      guard let removed = try removed() else { throw error }
      return removed
    }
  }

  /// Opens the directory with what was unpacked.
  ///
  /// - Throws: what ``folder()`` throws.
  func files() throws(SignetError) -> StoreFolder { try folder().folder(ReleaseFile.files) }

  /// The directory that was found first, where it was set aside.
  private func removed() throws(SignetError) -> StoreFolder? {
    for name in try staging.names(upTo: Self.removedLimit) {
      if let folder = try? staging.folder(name), folder.directory.status.identity == identity { return folder }
    }
    return nil
  }
}
