/// The exact parameters that a route takes, beside those of its path.
///
/// They come from the query and from the caller's values. A name that is in both counts once. Each name may be there
/// only once; one with a default may be missing.
public struct RouteParameters: Sendable {
  /// The names that have to be there.
  public let required: [String]
  /// The names that may be missing, with the values that they have then.
  public let defaults: [String: any Sendable]

  /// Makes the list of parameters.
  ///
  /// - Parameters:
  ///   - required: the names that have to be there.
  ///   - defaults: the names that may be missing, with the values that they have then.
  public init(_ required: [String], defaults: [String: any Sendable] = [:]) {
    self.required = required
    self.defaults = defaults
  }

  /// - Throws: `route.parameters`.
  func check(_ url: PluginURL, _ userInfo: [String: any Sendable]) throws(PluginError) {
    var left = Set((required + defaults.keys).map(ExactText.init))
    var extra: [String] = []
    for name in userInfo.keys.sorted() where left.remove(ExactText(name)) == nil { extra.append(name) }
    let given = Set(userInfo.keys.map(ExactText.init))
    // A name without a value gives no value, so a required one is still missing.
    for item in url.query.items where !given.contains(ExactText(item.name)) {
      let name = ExactText(item.name)
      guard item.value != nil || !left.contains(name) else { continue }
      if left.remove(name) == nil { extra.append(item.name) }
    }
    let missing = required.filter { left.contains(ExactText($0)) }
    guard !missing.isEmpty || !extra.isEmpty else { return }
    let mismatch = RouteParameterMismatch(missing: missing, extra: extra)
    throw PluginError(
      .routeParameters, PluginURL.shown(url.text), "does not have the parameters that its route takes",
      expected: PluginURL.shown((required + defaults.keys.sorted().map { "(\($0))" }).joined(separator: ", ")),
      found: "\(mismatch)", cause: mismatch)
  }
}

/// The parameters that a URL lacks, and those that it has beyond what its route takes. It is the cause of
/// `route.parameters`.
public struct RouteParameterMismatch: Error, Hashable, CustomStringConvertible {
  /// The names that are missing, in the order of the route.
  public let missing: [String]
  /// The names that the route does not take, or that occur once too often.
  public let extra: [String]

  /// Makes the value; for code that checks parameters in the same way.
  public init(missing: [String], extra: [String]) {
    self.missing = missing
    self.extra = extra
  }

  /// The names, for people.
  public var description: String {
    [("missing", missing), ("extra", extra)].filter { !$1.isEmpty }
      .map { "\($0) \(PluginURL.shown($1.joined(separator: ", ")))" }.joined(separator: "; ")
  }
}
