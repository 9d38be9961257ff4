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
    var modules: [ModuleIdentifier: LoadedModule] = [:]
    for module in known() {
      if let module = try? load(module, among: &modules) { loaded.append(module) }
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
    defer { records.noteEmbedded() }
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

  /// What ships with the host counts also for one that has not taken stock yet.
  func knowEmbedded() { if !records.knowsEmbedded { installEmbedded() } }

  private func installEmbedded(_ path: String) throws(SignetError) {
    do throws(SignetError) {
      let verified = try verifiedEmbedded(path, nil)
      let module = verified.module.identifier
      records.note(module, EmbeddedRelease(sequence: verified.module.sequence, path: path))
      guard try store.highestSequence(of: module).map({ $0 <= verified.module.sequence }) ?? true else { return }
      try install(embedded: verified)
    } catch {
      records.refuse(
        RefusedModule(identifier: nil, sequence: nil, source: path, reason: error, time: configuration.clock.now()))
      throw error
    }
  }

  private func verifiedEmbedded(
    _ path: String, _ module: ModuleIdentifier?
  ) throws(SignetError) -> VerifiedModule {
    let verdict = try Verifier(policy: policy, clock: configuration.clock, limits: configuration.limits).verify(
      .file(RegularFile(opening: path)), signatures: .beside(path), expecting: .module(module, named: path))
    switch verdict {
    case .verified(let verified): return verified
    case .refused(let refusal): throw refusal.combined
    }
  }
}

extension PluginHost {
  /// The release of a module that is to be loaded: what the store has, or the one that ships with the host where that is newer. It was not
  /// installed while the store listed a higher one; that may not be accepted any more, or have crashed.
  func candidate(_ module: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    let active = Result { () throws(SignetError) in try store.active(module) }
    guard let embedded = records.embedded(module), (try? active.get())?.sequence ?? 0 < embedded.sequence else {
      return try active.get()
    }
    var reason: SignetError?
    do throws(SignetError) {
      try install(embedded: verifiedEmbedded(embedded.path, module))
      let release = try store.active(module)
      if release.sequence >= embedded.sequence { return release }
    } catch {
      reason = error
    }
    // Why the highest one is not taken says more.
    let old = try active.get()
    throw SignetError(
      .policyRollback, "\(module)", "is older than the release that ships with the host, which cannot be installed",
      expected: "sequence \(embedded.sequence) or more", found: "\(old.sequence)", cause: reason,
      hint: "install a release that is as new as the host's, and accepted")
  }

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
