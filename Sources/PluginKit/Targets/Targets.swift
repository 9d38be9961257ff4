/// Targets and their actions: calls by name, of code or of URLs.
///
/// What is called need not be there: a missing target or action is an error that says so, once, and calls the global
/// fallback. Safe from any thread; actions run on the thread of the caller, without any lock.
public final class Targets: Sendable {
  /// What the global fallback is told.
  public struct Missing: Sendable {
    /// The target that was called.
    public let target: String
    /// The action that was called.
    public let action: String
    /// What it was called with.
    public let input: any Sendable
  }

  struct State {
    var entries: [String: TargetEntry] = [:]
    var nextID = 0
    var onMissing: (@Sendable (Missing) -> Void)?
    var removed = RemovedOwners()
    /// Names that belong to modules that are refused.
    var refused = RefusedNames()
  }

  let state = ReadWriteLock(State())

  /// Makes a table without targets.
  public init() {}

  /// Adds a target.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - owner: whose it is.
  ///   - make: makes the instance that its actions get.
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

  /// Adds an action to a target of the owner, which is made for it where there is none.
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

  /// Calls this when a target or action is missing, before whoever called is told so; nothing any more when nil.
  ///
  /// - Parameter handler: runs on the thread of whoever called.
  public func onMissing(_ handler: (@Sendable (Missing) -> Void)?) {
    // What the last one holds is let go of outside of the lock.
    let last = state.write { state in
      defer { state.onMissing = handler }
      return state.onMissing
    }
    withExtendedLifetime(last) {}
  }

  /// Refuses the targets of a module that was refused: nobody else gets their names. What was refused for the module before is
  /// not any more.
  ///
  /// - Parameters:
  ///   - names: as the last description that was accepted has them.
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

  /// Whether there is a target.
  public func hasTarget(_ target: String) -> Bool { state.read { $0.entries[target] != nil } }

  /// Lets go of the instance that is kept; the next call makes a new one.
  ///
  /// - Parameter target: the whole name; anything else does nothing.
  public func release(_ target: String) {
    // The instance goes outside of the lock: its end may call back.
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

  func close(_ owner: ModuleOwner) {
    state.write { $0.removed.insert(owner) }
    removeAll(ownedBy: owner)
  }

  /// Bytes of a name at most, as in a module's description (docs/format.md, section 10).
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
