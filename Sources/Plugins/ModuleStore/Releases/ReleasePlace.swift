internal import Signet
internal import SignetBase
internal import SignetSystem

/// The place of a release in a store.
///
/// It is looked up name by name from the store's own descriptors, through no link. So its users need not keep a
/// descriptor.
///
/// Another directory may replace the one in this place. What is read is checked against what was signed, so either
/// directory serves as well, as after a repair. What was removed is in `staging/` as long as it is in use.
struct ReleasePlace: Sendable {
  private let modules: StoreFolder
  private let staging: StoreFolder
  private let module: ModuleIdentifier
  private let release: String
  /// The directory that was first found there, which this process does not remove as long as this lives.
  private let use: ReleaseUse

  /// The greatest number of entries in `staging/` to look at: as many as are removed at once.
  private static let removedLimit = 4096

  /// - Throws: what ``folder()`` throws.
  init(_ release: String, of module: ModuleIdentifier, in store: ModuleStore) throws(SignetError) {
    modules = store.modules
    staging = store.staging
    self.module = module
    self.release = release
    use = ReleaseUse(try store.modules.folder("\(module)").folder(release).directory.status.identity)
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

  /// Opens the directory with the unpacked files.
  ///
  /// - Throws: what ``folder()`` throws.
  func files() throws(SignetError) -> StoreFolder { try folder().folder(StoredFile.files) }

  /// The directory that was first found, if it was set aside.
  private func removed() throws(SignetError) -> StoreFolder? {
    for name in try staging.names(upTo: Self.removedLimit) {
      if let folder = try? staging.folder(name), folder.directory.status.identity == use.identity { return folder }
    }
    return nil
  }
}

/// The use of a release's directory in this process.
final class ReleaseUse: Sendable {
  private static let counts = Monitor<[FileStatus.Identity: Int]>([:])

  let identity: FileStatus.Identity

  init(_ identity: FileStatus.Identity) {
    self.identity = identity
    Self.counts.withLock { $0[identity, default: 0] += 1 }
  }

  deinit {
    Self.counts.withLock { counts in
      let left = (counts[identity] ?? 1) - 1
      counts[identity] = left == 0 ? nil : left
    }
  }

  /// Whether this process uses a directory. One that cannot be opened counts as used, unless it is gone.
  static func isInUse(_ name: String, of folder: StoreFolder) -> Bool {
    do throws(SignetError) {
      let identity = try folder.folder(name).directory.status.identity
      return counts.withLock { $0[identity] != nil }
    } catch {
      return error.code != .fileMissing && error.code != .fileNotDirectory
    }
  }
}
