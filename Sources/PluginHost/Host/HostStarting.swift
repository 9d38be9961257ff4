internal import ModuleStore
internal import PluginKit
internal import Signet
internal import SignetCrypto

extension PluginHost {
  /// Takes stock and loads every module that is installed: counts the crashes of the starts before, installs what ships with the host and is newer,
  /// and loads each module that is accepted. What is refused is told, its URLs are refused, and everything else goes on.
  ///
  /// - Returns: the modules that are loaded, sorted by identifier.
  @discardableResult public func start() -> [LoadedModule] {
    takeStock()
    var loaded: [LoadedModule] = []
    for module in known() {
      if let module = try? load(module) { loaded.append(module) }
    }
    return loaded
  }

  /// The first part of ``start()``: what is here, without loading any of it. What was fetched whole, and not installed before the
  /// process ended, is verified and installed.
  public func takeStock() {
    installEmbedded()
    installFetched()
    do throws(SignetError) { try store.crashes(embedded: records.embedded) } catch { records.tell(.notice(error)) }
    for module in known() where records.status(of: module) == .none { records.note(module, .installed) }
  }

  /// Modules that the store lists, sorted.
  private func known() -> [ModuleIdentifier] {
    do throws(SignetError) { return try store.listed() } catch {
      records.tell(.notice(error))
      return []
    }
  }

  /// Archives that ship with the host, each as good as any other: it has to be accepted, and to be newer than what is installed.
  private func installEmbedded() {
    guard let path = configuration.embedded else { return }
    let names: [String]
    do throws(SignetError) { names = try Directory(opening: path).entryNames() } catch {
      records.tell(.notice(error))
      return
    }
    for name in names where ArchiveName.isArchive(name) {
      _ = try? installEmbedded(path + "/" + name)
    }
  }

  private func installEmbedded(_ path: String) throws(SignetError) {
    do throws(SignetError) {
      let verdict = try Verifier(policy: policy, clock: configuration.clock, limits: configuration.limits).verify(
        .file(RegularFile(opening: path)), signatures: .beside(path), expecting: .module(nil, named: path))
      guard case .verified(let verified) = verdict else {
        if case .refused(let refusal) = verdict { throw refusal.combined }
        return
      }
      let module = verified.module.identifier
      records.noteEmbedded(module, verified.module.sequence)
      guard try store.highestSequence(of: module).map({ $0 <= verified.module.sequence }) ?? true else { return }
      try install(embedded: verified)
    } catch {
      records.refuse(
        RefusedModule(identifier: nil, sequence: nil, source: path, reason: error, time: configuration.clock.now()))
      throw error
    }
  }
}

extension PluginHost {
  /// Of two releases with one sequence the one that ships with the host is right, and what is damaged is mended by it.
  private func install(embedded verified: VerifiedModule) throws(SignetError) {
    do throws(SignetError) {
      try store.install(verified)
    } catch  where error.code == .storeDamaged {
      try store.repair(from: verified)
    } catch  where error.code == .storeSequenceConflict {
      try store.remove(verified.module.identifier, sequence: verified.module.sequence)
      try store.install(verified)
    }
  }
}

/// Names of files that may be archives.
enum ArchiveName {
  private static let suffixes = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst"]

  static func isArchive(_ name: String) -> Bool {
    suffixes.contains { name.utf8.reversed().starts(with: $0.utf8.reversed()) }
  }
}
