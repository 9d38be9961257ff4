internal import SignetSystem

/// The signals to a transfer, and what it has used up over all its turns.
///
/// They say whether a caller still waits for it, and whether it has to give its place to another for a while.
package final class FetchSignal: Sendable {
  /// The files of a download. Each has its own tries.
  package enum File: Sendable { case archive, signature }

  private struct State {
    var isCancelled = false
    var attempts: [File: Int] = [:]
    /// The time of earlier turns.
    var used: Duration = .zero
    var turnBegan: ContinuousClock.Instant
    var windowBegan: ContinuousClock.Instant
    var windowBytes = 0
    /// Whether the transfer was slow in the last window.
    var isSlow = false
    var hasYielded = false
    /// The number of turns at whose end nothing could be kept.
    var lostTurns = 0
  }

  private let state: Monitor<State>
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let isAnotherWaiting: @Sendable () -> Bool

  /// How often turns are doubled for a transfer that begins again each time: up to sixteen times as long.
  private static let doublings = 4

  /// - Parameters:
  ///   - clock: the clock by which the turns are measured.
  ///   - isAnotherWaiting: whether another transfer could begin in this one's place.
  package init(
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    isAnotherWaiting: @escaping @Sendable () -> Bool = { false }
  ) {
    let now = clock()
    state = Monitor(State(turnBegan: now, windowBegan: now))
    self.clock = clock
    self.isAnotherWaiting = isAnotherWaiting
  }

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  package func cancel() { state.withLock { $0.isCancelled = true } }

  /// Gives the transfer all of its time and tries again, because a caller waits for it again.
  package func renew() {
    state.withLock { state in
      state.isCancelled = false
      state.attempts = [:]
      state.used = .zero
    }
  }

  /// Begins a turn.
  ///
  /// - Returns: how much of its time earlier turns have used.
  package func beginTurn() -> Duration {
    let now = clock()
    return state.withLock { state in
      state.turnBegan = now
      state.windowBegan = state.turnBegan
      state.windowBytes = 0
      state.isSlow = false
      state.hasYielded = false
      return state.used
    }
  }

  /// - Parameter isLost: whether the next turn has to begin again.
  package func endTurn(isLost: Bool) {
    let now = clock()
    state.withLock { state in
      state.used += now - state.turnBegan
      if isLost { state.lostTurns += 1 }
    }
  }

  /// Counts a failed try of a file. The result includes this one.
  package func countAttempt(_ file: File) -> Int {
    state.withLock { state in
      state.attempts[file, default: 0] += 1
      return state.attempts[file] ?? 0
    }
  }

  /// The number of failed tries of a file.
  package func attempts(_ file: File) -> Int { state.withLock { $0.attempts[file] ?? 0 } }

  package func note(received count: Int) { state.withLock { $0.windowBytes += count } }

  /// Whether the transfer gave up its place in this turn.
  package var hasYielded: Bool { state.withLock { $0.hasYielded } }

  /// Whether the transfer has to give up its place: it was slow for a while, and another one waits.
  package func yields(_ limits: ArchiveFetcher.Limits) -> Bool {
    let now = clock()
    let isSlow = state.withLock { state in
      let length = Duration.seconds(limits.turnSeconds << min(state.lostTurns, Self.doublings))
      let passed = now - state.windowBegan
      guard passed >= length else { return state.isSlow }
      state.isSlow = Double(state.windowBytes) <= Double(limits.fairSpeed) * (passed / .seconds(1))
      state.windowBegan = now
      state.windowBytes = 0
      return state.isSlow
    }
    guard isSlow, isAnotherWaiting() else { return false }
    state.withLock { $0.hasYielded = true }
    return true
  }
}
