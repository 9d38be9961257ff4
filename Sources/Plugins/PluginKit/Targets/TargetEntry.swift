/// A registered target.
struct TargetEntry: Sendable {
  /// Distinguishes the target from another one that had its name before.
  let id: Int
  let owner: ModuleOwner
  let name: String
  let make: TargetMaker
  var actions: [String: ActionBody] = [:]
  var actionNames: [String] = []
  var local: Set<String> = []
  /// The actions that the module's description declares; true for an action that only code may call. nil for a target
  /// of the host, or of a plugin in C.
  var declared: [String: Bool]?
  var fallback: (@Sendable (String) -> ActionBody)?
  /// The instances that are kept, one at most in each cache.
  var kept: [TargetCache: KeptInstance] = [:]

  init(id: Int, owner: ModuleOwner, name: String, make: TargetMaker) {
    self.id = id
    self.owner = owner
    self.name = name
    self.make = make
  }

  /// Whether only code may call an action, not URLs.
  func isLocal(_ action: String) -> Bool { local.contains(action) || declared?[action] == true }

  /// What a call runs; nil if the target does not have the action.
  ///
  /// The fallback serves every action that code calls. A URL comes from anywhere, so it reaches only what the signed
  /// description names.
  func body(for call: ActionCall) -> ActionBody? {
    if let body = actions[call.action] { return body }
    if call.url != nil, let declared, declared[call.action] == nil { return nil }
    return fallback?(call.action)
  }

  /// Makes a new instance.
  ///
  /// - Parameter limit: the longest time to wait for the main actor.
  func instance(_ limit: Duration) throws(PluginError) -> any Sendable {
    switch make {
    case .anywhere(let make):
      return try Call(.actionTooDeep, name).run { () throws(PluginError) in
        do { return try make() } catch { throw failure(error) }
      }
    case .onMain(let make):
      let made = try Call(.actionTooDeep, name).run { () throws(PluginError) in
        try MainThread.run(limit, timeout(limit)) { () throws(PluginError) in
          do { return try make() } catch { throw failure(error) }
        }
      }
      guard let made else { throw timeout(limit) }
      return made
    }
  }

  private func failure(_ error: any Error) -> PluginError {
    error as? PluginError ?? PluginError(.targetFailed, PluginURL.shown(name), "could not be created", cause: error)
  }

  private func timeout(_ limit: Duration) -> PluginError {
    PluginError(
      .routeTimeout, PluginURL.shown(name), "was not created in time", expected: "an answer within \(limit)")
  }

  /// What may be released, once an owner no longer keeps the instance of a cache.
  mutating func release(from cache: TargetCache, by owner: ModuleOwner) -> (any Sendable)? {
    guard kept[cache]?.keepers.remove(owner) != nil, kept[cache]?.keepers.isEmpty == true else { return nil }
    return release(from: cache)
  }

  /// What may be released, once nobody keeps the instance of a cache.
  mutating func release(from cache: TargetCache) -> (any Sendable)? { kept.removeValue(forKey: cache)?.instance }
}

/// How an instance of a target is made.
enum TargetMaker: Sendable {
  /// On the thread of the call.
  case anywhere(@Sendable () throws -> any Sendable)
  /// On the main actor.
  case onMain(@MainActor @Sendable () throws -> any Sendable)
}
