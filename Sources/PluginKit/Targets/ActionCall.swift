/// A call of an action: which, with what, and how long for.
struct ActionCall: Sendable {
  let target: String
  let action: String
  let input: any Sendable
  let keepsTarget: Bool
  let limit: Duration
  /// The URL that calls, if one does: what is local is refused to it.
  let url: PluginURL?

  init(
    _ target: String, _ action: String, _ input: any Sendable, _ keepsTarget: Bool, _ limit: Duration,
    calledBy url: PluginURL? = nil
  ) {
    self.target = target
    self.action = action
    self.input = input
    self.keepsTarget = keepsTarget
    self.limit = limit
    self.url = url
  }

  /// What is called, for messages.
  var object: String { PluginURL.shown("\(target).\(action)") }

  var timeout: PluginError {
    PluginError(
      .routeTimeout, object, "was called, and there was no answer in time", expected: "an answer within \(limit)")
  }

  /// The result, as a type.
  ///
  /// - Throws: `action.type` when the result is of another type, or there is none.
  func result<Output>(_ result: (any Sendable)?) throws(PluginError) -> Output {
    guard let output = result as? Output else {
      throw PluginError(
        .actionType, "\(target).\(action)", "gave a result of another type", expected: "\(Output.self)",
        found: result.map { "\(Swift.type(of: $0))" } ?? "none")
    }
    return output
  }
}
