internal import Dispatch
internal import SignetSystem

/// A watch that reports a load that does not return in time.
///
/// A host loads one module at a time, and one timer serves them all. Most loads are over long before the timer ends. It
/// then looks at the load that is under way, and waits for the rest of that load's time.
final class LoadingWatch: Sendable {
  private struct Load {
    let deadline: DispatchTime
    let tell: @Sendable () -> Void
  }

  private struct State {
    /// The load that is under way and was not reported yet.
    var load: Load?
    /// Whether the timer runs.
    var isArmed = false
  }

  private let patience: Duration
  private let state = Monitor(State())

  /// - Parameter patience: how long a module may take to be loaded.
  init(_ patience: Duration) { self.patience = patience }

  /// Watches a load.
  ///
  /// - Parameter tell: called once, on another thread, if the load takes longer than the patience.
  func watch<Value, Failure>(
    _ tell: @escaping @Sendable () -> Void, _ load: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let deadline = DispatchTime.now() + patience.seconds
    let isArmed = state.withLock { state in
      state.load = Load(deadline: deadline, tell: tell)
      defer { state.isArmed = true }
      return state.isArmed
    }
    if !isArmed { arm(deadline) }
    defer { state.withLock { $0.load = nil } }
    return try load()
  }

  private func arm(_ deadline: DispatchTime) {
    DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in self?.look() }
  }

  /// Runs when the timer has ended.
  private func look() {
    let (late, next) = state.withLock { state -> (Load?, DispatchTime?) in
      if let load = state.load, load.deadline > .now() { return (nil, load.deadline) }
      state.isArmed = false
      return (state.load.take(), nil)
    }
    if let next { arm(next) }
    late?.tell()
  }
}

extension Duration {
  /// The duration for Dispatch, in seconds: at most a hundred years, which it can count.
  var seconds: Double {
    min(Double(components.seconds) + Double(components.attoseconds) / 1e18, 3e9)
  }
}
