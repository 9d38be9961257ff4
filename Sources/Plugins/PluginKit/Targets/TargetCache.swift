/// Where instances of targets are kept between calls.
enum TargetCache: Hashable, Sendable {
  /// The cache that the host and all modules share.
  case shared
  /// A cache of its own: its instances are used by nobody else.
  case own(Int)
  /// No cache: each call makes an instance, and nothing is kept.
  case none
}

/// An instance that is kept, and who asked for that.
struct KeptInstance: Sendable {
  let instance: any Sendable
  var keepers: Set<ModuleOwner> = []

  init(_ instance: any Sendable) { self.instance = instance }
}

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
