internal import Dispatch
internal import SignetSystem

/// Tells what does not come back from being loaded.
///
/// A host loads one module at a time, and one timer serves them all. Most loads are over long before the timer ends: it then looks at what is
/// being loaded by now, and waits for the rest of that one's time.
final class LoadingWatch: Sendable {
  private struct Load {
    let deadline: DispatchTime
    let tell: @Sendable () -> Void
  }

  private struct State {
    /// What is being loaded, and was not told yet.
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
  /// - Parameter tell: called on another thread, once, when the load takes longer than the patience.
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

  /// The timer has ended.
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
  /// The same for Dispatch; a hundred years at most, which it can count.
  var seconds: Double {
    min(Double(components.seconds) + Double(components.attoseconds) / 1e18, 3e9)
  }
}
