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
