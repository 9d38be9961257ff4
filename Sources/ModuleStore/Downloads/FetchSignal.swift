internal import SignetSystem

/// What a transfer is told, and what it has used up, over all its turns: whether anybody waits for it still, and whether it has to give
/// its place to another for a while.
package final class FetchSignal: Sendable {
  /// The files of a download: each has its tries.
  package enum File: Sendable { case archive, signature }

  private struct State {
    var isCancelled = false
    var attempts: [File: Int] = [:]
    /// Time of the turns before.
    var used: Duration = .zero
    var turnBegan: ContinuousClock.Instant
    var windowBegan: ContinuousClock.Instant
    var windowBytes = 0
    /// Whether it was slow in the last window.
    var isSlow = false
    var hasYielded = false
    /// Turns at whose end nothing could be kept.
    var lostTurns = 0
  }

  private let state: Monitor<State>
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let isAnotherWaiting: @Sendable () -> Bool

  /// Turns are made twice as long so often, for what begins anew each time: sixteen times as long.
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

  /// Somebody waits for it again: with all of its time and tries.
  package func renew() {
    state.withLock { state in
      state.isCancelled = false
      state.attempts = [:]
      state.used = .zero
    }
  }

  /// Begins a turn.
  ///
  /// - Returns: how much of its time was used up by those before.
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

  /// - Parameter isLost: whether the next turn has to begin anew.
  package func endTurn(isLost: Bool) {
    let now = clock()
    state.withLock { state in
      state.used += now - state.turnBegan
      if isLost { state.lostTurns += 1 }
    }
  }

  /// Tries of a file that failed, this one included.
  package func countAttempt(_ file: File) -> Int {
    state.withLock { state in
      state.attempts[file, default: 0] += 1
      return state.attempts[file] ?? 0
    }
  }

  /// How many tries of a file have failed.
  package func attempts(_ file: File) -> Int { state.withLock { $0.attempts[file] ?? 0 } }

  package func note(received count: Int) { state.withLock { $0.windowBytes += count } }

  /// Whether it gave its place away in this turn.
  package var hasYielded: Bool { state.withLock { $0.hasYielded } }

  /// Whether it has to give its place to another: it was slow for a while, and another waits.
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
