public import ModuleResolver
public import ModuleStore
public import Signet
public import SignetBase

extension ModfileInstallation {
  /// What an installation did with a module.
  public enum Event: Sendable {
    /// It is in the store, and is what hosts load; perhaps it was already.
    case installed(InstalledModule, isChanged: Bool)
    /// It was in the store already, and damaged. Now it is as it was signed, and is what hosts load.
    case repaired(InstalledModule)
    /// Its sources are at a path; perhaps the same ones were there already.
    case unpacked(LockedModule, path: String, isChanged: Bool)
    /// It is in the store no longer, or its sources are there no longer. The version is what was there; nil if nobody
    /// remembers.
    case removed(ModuleIdentifier, SemanticVersion?, isSource: Bool)
    /// It was installed for another target, and what was newer than the lock's release is there no longer.
    case lowered(LockedModule)
    /// Releases that were installed by hand, and were newer than the lock's, are in the store no longer: those with these
    /// sequences.
    case replaced(LockedModule, sequences: [Int])
    /// A release was let through that has less than the one before it; this says why.
    case letThrough(SignetError)
  }

  /// Makes the store and the folder of sources what the lock says, and then writes the lock: it says what was done.
  ///
  /// The store changes in one step, after all binaries are verified and in their places, and all sources are unpacked. If
  /// this is ended in between, the next installation does what is missing, and removes what it does not want. Nobody else
  /// installs into the store before the lock is written: of several installations at once, each finds what the one before
  /// has done.
  ///
  /// - Parameters:
  ///   - modules: what ``fetch(for:under:as:_:)`` returned.
  ///   - project: what is written into the project. It is checked first: a run that was overtaken changes nothing.
  ///   - began: is told of each draft of sources, which is removed at an interruption.
  /// - Returns: what was done, module by module.
  /// - Throws: why a module is refused: `policy.rollback` if a host has loaded a newer release, `digest.mismatch` if its file
  ///   has changed; `install.changed`; `install.source-folder`, before anything is written; `modfile.name`, `lockfile.…`,
  ///   `store.…`, `git.…`, `extraction.failed`, `output.failed`, `file.…`.
  public func apply(
    _ modules: [ReadyModule], for target: ModfileName?, to store: ModuleStore, sources folder: SourcesFolder,
    writing project: ProjectChange, began: (String) -> Void = { _ in }
  ) throws(SignetError) -> [Event] {
    try apply(
      modules, for: target, to: store, sources: folder, began: began,
      checking: { () throws(SignetError) in try project.check() },
      publishing: { () throws(SignetError) in try project.publish() })
  }

  /// The same for somebody who writes the lock himself.
  ///
  /// - Parameters:
  ///   - check: is called before anything is changed, and throws if the project is not what the installation was made from.
  ///   - publish: writes the lock.
  package func apply(
    _ modules: [ReadyModule], for target: ModfileName?, to store: ModuleStore, sources folder: SourcesFolder,
    began: (String) -> Void = { _ in }, checking check: () throws(SignetError) -> Void = {},
    publishing publish: () throws(SignetError) -> Void
  ) throws(SignetError) -> [Event] {
    try checkPlaces(of: modules, for: target, in: folder)
    let change = try InstallationChange(self, modules, for: target, in: folder)
    do throws(SignetError) {
      let outcome = try store.install(
        exactly: modules,
        keeping: { () throws(SignetError) in
          try check()
          return try change.kept(in: store)
        },
        from: { (module) throws(SignetError) in try module.toInstall() },
        whenReady: { (new) throws(SignetError) in
          try change.begin(new: Set(new.map(\.module.identifier)))
          try unpack(modules, into: folder, began: began, change.tell)
          try unpackCommits(for: target, into: folder, began: began, change.tell)
        },
        whenDone: { (_) throws(SignetError) in
          try change.removeSources()
          try publish()
          try change.finish()
        },
        whenFailed: { change.end() })
      let remarks = modules.flatMap(\.remarks)
      let more = outcome.remarks.filter { remark in
        !remarks.contains { $0.code == remark.code && $0.object == remark.object }
      }
      return change.events(outcome) + (remarks + more).map { .letThrough($0) }
    } catch  where error.code == .policyRollback {
      throw error.goingBack(modules.first { $0.name.isExactly(error.object) }?.module.identifier)
    }
  }
}

extension SignetError {
  /// The refusal of a release that is older than one that a host has loaded, with the way out.
  fileprivate func goingBack(_ module: ModuleIdentifier?) -> SignetError {
    guard let module else { return self }
    var error = self
    error.hint = "let the Modfile accept a newer release, then: signet update \(module)"
    return error
  }
}
