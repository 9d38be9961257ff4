internal import ModuleStore
public import Signet
public import SignetCrypto

extension PluginHost {
  /// Fetches a release of a module, verifies it and installs it, as ``install(_:signature:module:)`` does.
  ///
  /// Whoever asks for what is being fetched waits for the same transfer. A task that is cancelled waits no longer; when nobody waits
  /// any more the transfer ends, and the next one goes on with what is there of the archive.
  ///
  /// - Returns: which module it is, and its sequence.
  /// - Throws: `fetch.…`; `digest.mismatch` when it is not what the item says; why it is refused; `store.…`, `file.…`.
  @discardableResult
  public func download(
    _ item: DownloadItem
  ) async throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    try await downloads.run(item) { [self] item, signal in
      Result { () throws(SignetError) in try fetch(item, signal) }
    }.get()
  }

  private func fetch(
    _ item: DownloadItem, _ signal: FetchSignal
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    let before = (records.status(of: item.identifier), records.reason(of: item.identifier))
    records.note(item.identifier, .downloading)
    let folder: DownloadFolder
    do throws(SignetError) {
      guard let downloads = try store.downloads(makes: true) else {
        throw SignetError(
          .storeWriteFailed, store.path, "is another user's, who alone fetches into it",
          hint: "let that user's host fetch the module")
      }
      folder = try DownloadFolder(of: item.identifier, in: downloads)
      let note = try folder.begin(item, at: configuration.clock.now())
      let progress = FetchProgress { [records] received, whole in
        records.tell(.progress(item.identifier, received: received, of: whole))
      }
      try configuration.fetcher.fetch(note, in: folder, signal, progress: progress)
    } catch {
      // It is what it was; a release that is in use was that all the time.
      records.note(item.identifier, before.0, before.1, from: [.downloading])
      if error.code != .fetchCancelled { records.tell(.notice(error)) }
      throw error
    }
    records.note(item.identifier, .downloaded)
    return try install(item, from: folder)
  }

  /// Installs what was fetched. Its files go, unless it could not be told whether they are any good.
  private func install(
    _ item: DownloadItem, from folder: DownloadFolder
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    do throws(SignetError) {
      guard let archive = try folder.archive() else {
        throw SignetError(.fileMissing, item.source.shown, "is gone since it was fetched")
      }
      let signature = try folder.signature()
      let installed = try install(
        .file(archive), signature.map { .file($0) } ?? .absent, item.identifier, named: item.source.shown, of: item)
      folder.remove()
      return installed
    } catch {
      if !Self.mayBeOtherwise(error) { folder.remove() }
      records.note(item.identifier, .none, from: [.downloaded])
      throw error
    }
  }

  /// Whether the store, the disk or the clock were the reason, and not what was fetched.
  private static func mayBeOtherwise(_ error: SignetError) -> Bool {
    [
      .storeLocked, .storeWriteFailed, .storeNotSynced, .storeBounds, .storeFileSystem, .clockRollback,
      .cryptoFailure,
      .fileReadFailed, .fileUnreadable,
    ].contains(error.code)
  }

  /// Seconds that what was fetched in part is kept: a week, after which hardly anybody comes back for it.
  private static let partialLifetime: Int64 = 7 * 86_400
  /// Modules that are looked at: as many as a store holds.
  private static let fetchedLimit = 1000

  /// Installs what was fetched whole before the process ended, and takes away what nobody has come back for.
  func installFetched() {
    let folder: Directory?
    do throws(SignetError) { folder = try store.downloads(makes: false) } catch {
      return records.tell(.notice(error))
    }
    guard let folder, let names = try? folder.entryNames() else { return }
    for name in names.prefix(Self.fetchedLimit) {
      // Whoever has the lock is at it.
      guard let module = ModuleIdentifier(name), let own = try? DownloadFolder(of: module, in: folder, patience: 0)
      else { continue }
      installFetched(module, own)
    }
  }

  private func installFetched(_ module: ModuleIdentifier, _ folder: DownloadFolder) {
    guard let note = folder.note, note.item.identifier == module else { return folder.remove() }
    guard (try? folder.isWhole(note.item)) == true else {
      let age = configuration.clock.now().seconds - note.begun.seconds
      if !(0..<Self.partialLifetime).contains(age) { folder.remove() }
      return
    }
    records.note(module, .downloaded)
    // What is wrong with it was told.
    _ = try? install(note.item, from: folder)
  }
}
