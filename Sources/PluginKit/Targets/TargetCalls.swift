extension Targets {
  /// Calls an action with values by name: `perform("play", on: "Player", with: ["track": 7])`.
  ///
  /// - Parameters:
  ///   - action: its name.
  ///   - target: the target's name.
  ///   - input: the values.
  ///   - keepsTarget: whether the target's instance is kept for later calls. One that is kept already is always used.
  /// - Returns: the action's result.
  /// - Throws: `target.name`, `target.not-found`, `target.module-refused`, `target.failed`, `action.not-found`, `action.type`, `action.failed`, and what
  ///   the action throws of this kind.
  @discardableResult public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false
  ) throws(PluginError) -> (any Sendable)? {
    try perform(action, target, input, keepsTarget, calledBy: nil)
  }

  /// Calls an action that takes one value of a type.
  ///
  /// - Parameter value: the value.
  /// - Throws: as the form with values by name; `action.type` also when the action takes another type.
  @discardableResult public func perform(
    _ action: String, on target: String, value: any Sendable, keepsTarget: Bool = false
  ) throws(PluginError) -> (any Sendable)? {
    try perform(action, target, value, keepsTarget, calledBy: nil)
  }

  /// - Parameter url: the URL that calls, if one does: what is local is refused to it. The entry that was asked is the one that
  ///   is called.
  private func perform(
    _ action: String, _ target: String, _ input: any Sendable, _ keepsTarget: Bool, calledBy url: PluginURL?
  ) throws(PluginError) -> (any Sendable)? {
    try Self.checkName(target)
    try Self.checkName(action)
    let (entry, refused) = state.read { ($0.entries[target], $0.refused[target]) }
    if let url, entry?.isLocal(action) == true { throw Self.local(url) }
    guard let entry else {
      if let refused {
        throw PluginError(
          .targetModuleRefused, target, "belongs to \(refused.owner), which is refused", found: refused.reason,
          hint: "ask whoever publishes the module for a release that is accepted")
      }
      tellMissing(target, action, input)
      throw PluginError(
        .targetNotFound, target, "is no target", hint: "make sure that the module that has it is loaded")
    }
    let instance = try instance(of: entry, keeps: keepsTarget)
    do { return try entry.call(action, instance, input) } catch {
      if !entry.serves(action) { tellMissing(target, action, input) }
      throw error
    }
  }

  /// Calls an action and takes its result for a type.
  ///
  /// - Throws: as the other forms; `action.type` when the result is of another type, or there is none.
  public func perform<Output>(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    as type: Output.Type
  ) throws(PluginError) -> Output {
    let result = try perform(action, target, input, keepsTarget, calledBy: nil)
    guard let output = result as? Output else {
      throw PluginError(
        .actionType, "\(target).\(action)", "gave a result of another type", expected: "\(Output.self)",
        found: result.map { "\(Swift.type(of: $0))" } ?? "none")
    }
    return output
  }

  private func instance(of entry: TargetEntry, keeps: Bool) throws(PluginError) -> any Sendable {
    if let cached = entry.cached { return cached }
    let instance = try entry.instance()
    guard keeps else { return instance }
    return state.write { state in
      // Another thread may have been first, and another target may have come in its place.
      guard let current = state.entries[entry.name], current.id == entry.id else { return instance }
      if let cached = current.cached { return cached }
      state.entries[entry.name]?.cached = instance
      return instance
    }
  }

  private func tellMissing(_ target: String, _ action: String, _ input: any Sendable) {
    let handler = state.read { $0.onMissing }
    handler?(Missing(target: target, action: action, input: input))
  }
}

extension Targets {
  /// Beginnings of parameters' names that mean something to the systems whose URLs come here: a URL may not use them.
  private static let reserved = ["kCTMediator", "signet."]
  /// Actions with these names were never for URLs.
  private static let localPrefix = "native"

  /// Calls the action that a URL names: `app://Player/play?track=7`.
  ///
  /// The host is the target, the only segment the action, and the parameters are the values. What is checked is the decoded
  /// name, so that no encoding gets around it.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - keepsTarget: whether the target's instance is kept for later calls.
  /// - Returns: the action's result.
  /// - Throws: `action.url`, `action.local`, `action.reserved-key`, `url.…`, and what the other forms throw.
  @discardableResult public func perform(
    _ url: some RoutableURL, keepsTarget: Bool = false
  ) throws(PluginError) -> (any Sendable)? {
    let url = try url.pluginURL(defaultScheme: nil)
    let shown = PluginURL.shown(url.text)
    guard url.parts.count == 2, !url.host.isEmpty else {
      throw PluginError(
        .actionURL, shown, "does not name one action of a target", expected: "scheme://target/action",
        found: "\(max(url.parts.count - 1, 0)) segments")
    }
    let (target, action) = (url.parts[0], url.parts[1])
    if let key = url.query.items.first(where: { item in
      Self.reserved.contains { item.name.utf8.starts(with: $0.utf8) }
    }) {
      throw PluginError(
        .actionReservedKey, shown, "has a parameter that no URL may have", found: PluginURL.shown(key.name))
    }
    guard !action.lowercased().hasPrefix(Self.localPrefix) else { throw Self.local(url) }
    return try perform(action, target, ActionInput(url), keepsTarget, calledBy: url)
  }

  private static func local(_ url: PluginURL) -> PluginError {
    PluginError(.actionLocal, PluginURL.shown(url.text), "names an action that only code may call")
  }

  /// Calls the action that a URL names, and tells what came of it exactly once, before it returns.
  public func perform(_ url: some RoutableURL, keepsTarget: Bool = false, completion: (RouteAnswer) -> Void) {
    do { completion(.success(try perform(url, keepsTarget: keepsTarget))) } catch { completion(.failure(error)) }
  }
}
