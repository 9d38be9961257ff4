/// A table of targets and their actions, which code and URLs call by name.
///
/// A target or action need not exist. If it is missing, a fallback answers, or the caller gets one error that says so.
/// The table can be used from any thread. Actions run without any lock: those that answer at once on the caller's
/// thread or the main actor, others on threads of their owner.
public final class Targets: Sendable {
  struct State {
    var entries: [String: TargetEntry] = [:]
    var nextID = 0
    var nextCache = 0
    var missing = MissingTargets()
    var removed = RemovedOwners()
    /// Names that belong to refused modules.
    var refused = RefusedNames()
  }

  let state = ReadWriteLock(State())

  /// Makes a table without targets.
  public init() {}

  /// Adds a target.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - owner: the owner of the target.
  ///   - make: makes the instance that the actions receive.
  ///   - actions: adds the actions.
  /// - Throws: `target.name`, `target.conflict`, `module.removed`.
  public func register<Instance: Sendable>(
    _ name: String, owner: ModuleOwner, make: @escaping @Sendable () throws -> Instance,
    actions: (inout TargetActions<Instance>) -> Void
  ) throws(PluginError) {
    var added = TargetActions<Instance>()
    actions(&added)
    try register(name, of: owner, by: .anywhere(make), added)
  }

  /// Adds a target whose instance is made on the main actor.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - owner: the owner of the target.
  ///   - make: makes the instance that the actions receive. A call from elsewhere waits for it up to its limit.
  ///   - actions: adds the actions.
  /// - Throws: `target.name`, `target.conflict`, `module.removed`.
  public func register<Instance: Sendable>(
    _ name: String, owner: ModuleOwner, makeOnMain make: @escaping @MainActor @Sendable () throws -> Instance,
    actions: (inout TargetActions<Instance>) -> Void
  ) throws(PluginError) {
    var added = TargetActions<Instance>()
    actions(&added)
    try register(name, of: owner, by: .onMain(make), added)
  }

  func register<Instance: Sendable>(
    _ name: String, of owner: ModuleOwner, by make: TargetMaker, _ actions: TargetActions<Instance>,
    declared: [String: Bool]? = nil
  ) throws(PluginError) {
    for name in [name] + actions.names { try Self.checkName(name) }
    try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      try Self.checkFree(name, owner, state.refused)
      if let other = state.entries[name] {
        throw PluginError(
          .targetConflict, name, "is a target of \(other.owner) already", expected: "a unique name",
          found: "\(owner)")
      }
      var entry = TargetEntry(id: state.nextID, owner: owner, name: name, make: make)
      entry.actions = actions.bodies
      entry.actionNames = actions.names
      entry.local = actions.local
      entry.fallback = actions.fallback
      entry.declared = declared
      state.entries[name] = entry
      state.nextID += 1
    }
  }

  /// Adds an action to a target of the owner. If there is no such target, it is made.
  func register(
    _ action: String, on target: String, owner: ModuleOwner, isLocal: Bool, body: ActionBody
  ) throws(PluginError) {
    try Self.checkName(target)
    try Self.checkName(action)
    try change("\(target).\(action)", of: target, owner) { entry in
      guard entry.actions[action] == nil else { return false }
      entry.actions[action] = body
      entry.actionNames.append(action)
      if isLocal { entry.local.insert(action) }
      return true
    }
  }

  /// Sets the fallback of a target of the owner for actions that it does not have. If there is no such target, it is
  /// made.
  ///
  /// - Parameter declared: the actions that the module's description declares.
  func register(
    fallback: @escaping @Sendable (String) -> ActionBody, on target: String, owner: ModuleOwner,
    declared: [String: Bool]?
  ) throws(PluginError) {
    try Self.checkName(target)
    try change("\(target).*", of: target, owner) { entry in
      guard entry.fallback == nil else { return false }
      entry.fallback = fallback
      entry.declared = declared
      return true
    }
  }

  /// Changes a target of the owner, and makes the target first if it is missing.
  ///
  /// - Parameter change: returns false if the place is taken.
  private func change(
    _ name: String, of target: String, _ owner: ModuleOwner, _ change: (inout TargetEntry) -> Bool
  ) throws(PluginError) {
    try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      try Self.checkFree(target, owner, state.refused)
      var entry =
        state.entries[target]
        ?? TargetEntry(id: state.nextID, owner: owner, name: target, make: .anywhere { true })
      guard entry.owner == owner, change(&entry) else {
        throw PluginError(
          .targetConflict, name, "is an action or target of \(entry.owner) already", expected: "a unique name",
          found: "\(owner)")
      }
      if entry.id == state.nextID { state.nextID += 1 }
      state.entries[target] = entry
    }
  }

  /// Refuses the targets of a module that is refused: no other owner gets their names.
  ///
  /// This replaces an earlier refusal of the module.
  ///
  /// - Parameters:
  ///   - names: the targets of the last accepted description.
  ///   - owner: the module.
  ///   - reason: why it is refused, for people.
  public func refuse(_ names: [String], of owner: ModuleOwner, because reason: String) {
    state.write { state in
      state.refused.set(names, of: owner, because: reason)
    }
  }

  private static func checkFree(
    _ name: String, _ owner: ModuleOwner, _ refused: RefusedNames
  ) throws(PluginError) {
    guard let other = refused.other(than: owner, for: name) else { return }
    throw PluginError(
      .targetConflict, name, "is a target of \(other), which is refused", expected: "a unique name",
      found: "\(owner)")
  }

  /// Whether there is a target with this name.
  public func hasTarget(_ target: String) -> Bool { state.read { $0.entries[target] != nil } }

  /// Whether a call from code of an action would reach one: the target's own, or its fallback for actions that it does
  /// not have. The answer is no for a target of a refused module.
  public func hasAction(_ action: String, on target: String) -> Bool {
    state.read { state in
      guard let entry = state.entries[target] else { return false }
      return entry.actions[action] != nil || entry.fallback != nil
    }
  }

  /// Releases the instance of a target that is kept, no matter who asked to keep it; the next call makes a new one. An
  /// instance in a cache of its own stays.
  ///
  /// - Parameter target: the whole name; any other text does nothing.
  /// - Returns: whether there was an instance.
  @discardableResult public func release(_ target: String) -> Bool {
    // The instance is released outside of the lock, because its `deinit` may call back.
    let old = state.write { $0.entries[target]?.release(from: .shared) }
    return old != nil
  }

  /// Releases the instance of a target for a module: of its own target for all, and of another one for itself.
  ///
  /// - Returns: whether the instance was released.
  func release(_ target: String, from cache: TargetCache = .shared, by owner: ModuleOwner) -> Bool {
    let old = state.write { state -> (any Sendable)? in
      guard !state.removed.contains(owner) else { return nil }
      guard owner == .host || state.entries[target]?.owner == owner else {
        return state.entries[target]?.release(from: cache, by: owner)
      }
      return state.entries[target]?.release(from: cache)
    }
    return old != nil
  }

  /// Removes all targets of an owner, and their instances.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let old = state.write { $0.remove(owner) }
    withExtendedLifetime(old) {}
  }

  /// The greatest length of a name in bytes, as in a module's description (docs/format.md, section 10).
  private static let nameLimit = 128

  static func checkName(_ name: String) throws(PluginError) {
    guard let first = name.utf8.first, PluginURL.isLetter(first) || first == UInt8(ascii: "_"),
      name.utf8.count <= nameLimit,
      name.utf8.allSatisfy({
        PluginURL.isLetter($0) || PluginURL.isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: "-")
      })
    else {
      throw PluginError(
        .targetName, PluginURL.shown(name), "is not a valid name for a target or an action",
        expected: "at most \(nameLimit) letters, digits, _, . and -, a letter or _ first")
    }
  }
}

extension Targets.State: OwnedState {
  /// Removes what an owner has and keeps.
  ///
  /// - Returns: what may be released outside of the lock.
  mutating func remove(_ owner: ModuleOwner) -> [Any] {
    var old: [Any] = [entries]
    entries = entries.filter { $1.owner != owner }
    for (name, entry) in entries {
      for (cache, kept) in entry.kept where kept.keepers.contains(owner) {
        if let instance = entries[name]?.release(from: cache, by: owner) { old.append(instance) }
      }
    }
    old += missing.remove(owner)
    refused.set([], of: owner, because: "")
    return old
  }
}

extension Targets: RegistrationTable {
  func list(then next: () -> [TableEntry]) -> [TableEntry] {
    state.read { state in
      state.entries.values.sorted { $0.id < $1.id }.flatMap { target in
        // The fallback for all other actions is an entry, too.
        (target.actionNames + (target.fallback == nil ? [] : ["*"])).map {
          TableEntry(kind: .action, owner: "\(target.owner)", pattern: "\(target.name).\($0)", priority: 0)
        }
      } + next()
    }
  }
}
