internal import SignetSystem

/// What is on trial in this process, in all hosts of a store. A crash is the process's, not a host's.
enum ProcessTrials {
  private struct Trial {
    let store: String
    var current = TrialState.closed
    let whenClosed: @Sendable () -> Void
  }

  private static let trials = Monitor<[ObjectIdentifier: Trial]>([:])

  /// Adds a host.
  ///
  /// - Parameters:
  ///   - owner: identifies the host.
  ///   - store: the store's path.
  ///   - whenClosed: called each time when nothing of the store is on trial any longer.
  static func add(_ owner: ObjectIdentifier, of store: String, whenClosed: @escaping @Sendable () -> Void) {
    trials.withLock { $0[owner] = Trial(store: store, whenClosed: whenClosed) }
  }

  /// Removes a host that is gone. Nothing of it is on trial any longer.
  static func remove(_ owner: ObjectIdentifier) {
    let removed = trials.withLock { $0.removeValue(forKey: owner) }
    withExtendedLifetime(removed) {}
  }

  /// Sets what is on trial in a host.
  ///
  /// - Returns: the closures to call once the caller has released its own locks.
  static func set(_ current: TrialState, of owner: ObjectIdentifier) -> [@Sendable () -> Void] {
    trials.withLock { trials in
      guard let store = trials[owner]?.store else { return [] }
      trials[owner]?.current = current
      let all = trials.values.filter { $0.store == store }
      return all.allSatisfy { $0.current == .closed } ? all.map(\.whenClosed) : []
    }
  }

  /// What is on trial in all hosts of a store.
  static func current(of store: String) -> TrialState {
    trials.withLock { $0.values.filter { $0.store == store }.map(\.current).max() ?? .closed }
  }
}

/// What is on trial.
enum TrialState: Comparable {
  /// No code.
  case closed
  /// Code that cannot have crashed the process.
  case open
  /// Code that may have crashed the process.
  case ofSuspect
}
