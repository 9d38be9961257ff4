/// A cache of its own. What it keeps is released with it.
final class OwnTargetCache: Sendable {
  let cache: TargetCache
  private let targets: Targets

  init(_ targets: Targets) {
    self.targets = targets
    cache = targets.state.write { state in
      state.nextCache += 1
      return .own(state.nextCache)
    }
  }

  deinit {
    // The instances are released outside of the lock, because their `deinit` may call back.
    let old = targets.state.write { [cache] state in
      state.entries.keys.compactMap { state.entries[$0]?.release(from: cache) }
    }
    withExtendedLifetime(old) {}
  }
}
