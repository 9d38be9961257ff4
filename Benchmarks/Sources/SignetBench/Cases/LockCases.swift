#if canImport(Glibc)
  internal import ModuleStore
  internal import Signet

  /// A store that somebody else is changing: who only reads it need not wait.
  enum LockCases {
    /// Nothing more; the rest is for the machine.
    private static let budget = 1.1
    private static let note = "nobody changes it"

    static func comparisons(_ modules: ModuleMaker) throws -> [Comparison] {
      let (path, identifiers) = try HostCases.store(modules)
      // The floors are raised now, as in all starts but the first: that is a change of the store.
      let start = HostStart.command(path, count: identifiers.count)
      _ = try ChildProcess.run(start)
      let lock = try HeldLock("\(path)/change-lock")
      let store = try ModuleStore(opening: path, policy: modules.policy, clock: .system)
      let read = {
        guard try store.installed().count == identifiers.count else {
          throw BenchFailure(message: "a module is missing")
        }
      }
      return [
        Comparison(
          "start a host while somebody else changes its \(identifiers.count) modules, whole process",
          Contender("a locked store", start, per: 1, after: lock.take),
          against: Contender("the same store", start, per: 1, after: lock.release), budget: budget, note: note),
        Comparison(
          "verify \(identifiers.count) installed modules while somebody else changes the store",
          Contender("ModuleStore.installed", calls: 1, after: lock.take, read),
          against: Contender("the same", calls: 1, after: lock.release, read), budget: budget, note: note),
      ]
    }
  }
#endif
