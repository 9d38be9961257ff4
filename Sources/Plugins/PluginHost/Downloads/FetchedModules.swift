internal import ModuleStore
internal import Signet
internal import SignetAddresses
package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The fetching of modules for a host, and the installation of what was fetched.
struct FetchedModules: Sendable {
  private let host: HostContext

  init(_ host: HostContext) { self.host = host }

  /// The work of fetching a module and installing it. Until it ends, the host's hold keeps the store's releases.
  func work(for item: DownloadItem, by fetcher: ArchiveFetcher) -> Downloads.Work {
    let before = StatusBefore()
    return Downloads.Work(
      turn: { item, signal in
        // After the turn's folder was released, because what it leaves counts, too.
        defer { trim() }
        do throws(SignetError) { return try fetch(item, by: fetcher, signal, before) } catch {
          return .ended(.failure(error))
        }
      }, giveUp: { restore(item.identifier, before) })
  }

  /// Restores the status that a module had before its transfer. A release that is in use kept its status all the time.
  private func restore(_ module: ModuleIdentifier, _ before: StatusBefore) {
    guard let (status, reason) = before.take() else { return }
    host.records.note(module, status, reason, from: [.downloading])
  }

  /// Removes what exceeds the limits for transfers that are kept.
  private func trim() {
    guard let folder = try? host.store.downloads(makes: false) else { return }
    KeptDownloads.trim(folder, host.configuration.fetcher?.limits ?? .init())
  }

  /// Runs one turn of a transfer, and the installation once everything is there.
  private func fetch(
    _ item: DownloadItem, by fetcher: ArchiveFetcher, _ signal: FetchSignal, _ before: StatusBefore
  ) throws(SignetError) -> Downloads.Turn {
    // A caller should not wait for a release that will not be installed.
    if let sequence = item.sequence { try host.store.checkSetAside(item.identifier, sequence) }
    if before.keep(host.records.status(of: item.identifier), host.records.reason(of: item.identifier)) {
      host.records.note(item.identifier, .downloading)
    }
    let folder: DownloadFolder
    do throws(SignetError) {
      guard let downloads = try host.store.downloads(makes: true) else {
        throw SignetError(
          .storeWriteFailed, host.store.path, "belongs to another user, and only that user can download into it",
          hint: "download the module with that user's host")
      }
      folder = try DownloadFolder(of: item.identifier, in: downloads)
      let note = try folder.begin(item, at: host.configuration.clock.now())
      let progress = FetchProgress { [host] received, whole in
        host.records.tell(.progress(item.identifier, received: received, of: whole))
      }
      let end = try fetcher.fetch(note, in: folder, signal, progress: progress)
      if case .later(let delay) = end { return .later(milliseconds: delay) }
    } catch {
      restore(item.identifier, before)
      if error.code != .fetchCancelled { host.records.tell(.notice(error)) }
      throw error
    }
    host.records.note(item.identifier, .downloaded)
    return .ended(.success(try install(item, from: folder)))
  }

  /// Installs what was fetched. Its files are removed, unless the failure says nothing about them.
  private func install(
    _ item: DownloadItem, from folder: DownloadFolder
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    do throws(SignetError) {
      guard let archive = try folder.archive() else {
        throw SignetError(.fileMissing, item.source.shown, "disappeared after the download")
      }
      let signature = try folder.signature()
      let installed = try ModuleInstallation(host).install(
        .file(archive), signature.map { .file($0) } ?? .absent, item.identifier, named: item.source.shown, of: item)
      folder.remove()
      return installed
    } catch {
      if !error.isOfStore { folder.remove() }
      host.records.note(item.identifier, .none, from: [.downloaded])
      throw error
    }
  }

  /// How many seconds a part of an archive is kept: a week, after which transfers are hardly ever continued.
  private static let partialLifetime: Int64 = 7 * 86_400
  /// The greatest number of modules to look at: as many as a store holds.
  private static let fetchedLimit = 1000

  /// Installs what was completely fetched before the process ended, and removes parts that were not continued.
  func installAll() {
    let folder: Directory?
    do throws(SignetError) { folder = try host.store.downloads(makes: false) } catch {
      return host.records.tell(.notice(error))
    }
    guard let folder, let names = try? folder.entryNames() else { return }
    for name in names.prefix(Self.fetchedLimit) {
      // If the lock is taken, its holder works on this module.
      guard let module = ModuleIdentifier(name), let own = try? DownloadFolder(of: module, in: folder, patience: 0)
      else { continue }
      install(module, own)
    }
    KeptDownloads.trim(folder, host.configuration.fetcher?.limits ?? .init())
  }

  private func install(_ module: ModuleIdentifier, _ folder: DownloadFolder) {
    guard let note = folder.note, note.item.identifier == module else { return folder.remove() }
    guard (try? folder.isWhole(note.item)) == true else {
      let age = host.configuration.clock.now().seconds - note.begun.seconds
      if !(0..<Self.partialLifetime).contains(age) { folder.remove() }
      return
    }
    host.records.note(module, .downloaded)
    // Any error was reported already.
    _ = try? install(note.item, from: folder)
  }
}

extension SignetError {
  /// Whether the store, the disk or the cryptography library was the reason why an archive was not installed, and not
  /// the archive.
  package var isOfStore: Bool {
    [
      .storeLocked, .storeWriteFailed, .storeNotSynced, .storeBounds, .storeFileSystem,
      .storeStateMissing, .storeStateMalformed,
      .cryptoFailure,
      .fileReadFailed, .fileUnreadable,
    ].contains(code)
  }
}

/// The status of a module before its transfer. The module gets it back if the transfer fails, after any number of
/// turns.
private final class StatusBefore: Sendable {
  private let state = Monitor<(status: ModuleStatus, reason: SignetError?)?>(nil)

  /// - Returns: false if it is known already.
  func keep(_ status: ModuleStatus, _ reason: SignetError?) -> Bool {
    state.withLock { state in
      guard state == nil else { return false }
      state = (status, reason)
      return true
    }
  }

  func take() -> (status: ModuleStatus, reason: SignetError?)? { state.withLock { $0.take() } }
}
