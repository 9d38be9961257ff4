/// A table of targets and their actions, which code and URLs call by name.
///
/// A target or action need not exist. If it is missing, the caller gets one error that says so, and the global fallback
/// is called. The table can be used from any thread. Actions run on the caller's thread, without any lock.
public final class Targets: Sendable {
  /// A call of a missing target or action, as the global fallback receives it.
  public struct Missing: Sendable {
    /// The target that was called.
    public let target: String
    /// The action that was called.
    public let action: String
    /// The input of the call.
    public let input: any Sendable
  }

  struct State {
    var entries: [String: TargetEntry] = [:]
    var nextID = 0
    var onMissing: (@Sendable (Missing) -> Void)?
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
    try register(name, owner, make, added)
  }

  func register<Instance: Sendable>(
    _ name: String, _ owner: ModuleOwner, _ make: @escaping @Sendable () throws -> Instance,
    _ actions: TargetActions<Instance>, declared: [String: Bool]? = nil
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
    try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      try Self.checkFree(target, owner, state.refused)
      var entry: TargetEntry
      if let known = state.entries[target] {
        guard known.owner == owner, known.actions[action] == nil else {
          throw PluginError(
            .targetConflict, "\(target).\(action)", "is an action or target of \(known.owner) already",
            expected: "a unique name", found: "\(owner)")
        }
        entry = known
      } else {
        entry = TargetEntry(id: state.nextID, owner: owner, name: target) { true }
        state.nextID += 1
      }
      entry.actions[action] = body
      entry.actionNames.append(action)
      if isLocal { entry.local.insert(action) }
      state.entries[target] = entry
    }
  }

  /// Calls a handler when a target or action is missing, before the caller gets the error. nil removes the handler.
  ///
  /// - Parameter handler: runs on the caller's thread.
  public func onMissing(_ handler: (@Sendable (Missing) -> Void)?) {
    // What the last handler holds is released outside of the lock.
    let last = state.write { state in
      defer { state.onMissing = handler }
      return state.onMissing
    }
    withExtendedLifetime(last) {}
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

  /// Releases the instance of a target that is kept; the next call makes a new one.
  ///
  /// - Parameter target: the whole name; any other text does nothing.
  public func release(_ target: String) {
    // The instance is released outside of the lock, because its `deinit` may call back.
    let old = state.write { state in
      defer { state.entries[target]?.cached = nil }
      return state.entries[target]?.cached
    }
    withExtendedLifetime(old) {}
  }

  /// Removes all targets of an owner, and their instances.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let old = state.write { state in
      let old = state.entries
      state.entries = old.filter { $1.owner != owner }
      state.refused.set([], of: owner, because: "")
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Lets an owner that was removed register again.
  func readmit(_ owner: ModuleOwner) { state.write { $0.removed.remove(owner) } }

  func close(_ owner: ModuleOwner) {
    state.write { $0.removed.insert(owner) }
    removeAll(ownedBy: owner)
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
