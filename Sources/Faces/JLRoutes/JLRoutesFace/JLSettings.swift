internal import PluginKit

/// What a ``JLRouter`` is set to. Handlers keep this, and not the router, so that nothing keeps itself alive.
final class JLSettings: Sendable {
  struct Values {
    var plusDecoding = PlusDecoding.everywhere
    var countsDomains = false
    var definitionClass: JLRRouteDefinition.Type = JLRRouteDefinition.self
    var verboseLog: (@Sendable (String) -> Void)?
    var onFailure: (@Sendable (PluginError) -> Void)?
    /// By the schemes in lower case.
    var unmatched: [String: JLRoutes.UnmatchedURLHandler] = [:]
  }

  private let values = ReadWriteLock(Values())

  /// What is set now.
  func read<Value>(_ body: (borrowing Values) -> Value) -> Value { values.read(body) }

  /// Sets one of the values.
  func set<Value>(_ path: WritableKeyPath<Values, Value>, _ value: Value) {
    // What closures hold is released outside of the lock.
    let old = values.write { values in
      let old = values[keyPath: path]
      values[keyPath: path] = value
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Sets or removes the handler of a scheme.
  func setUnmatched(_ handler: JLRoutes.UnmatchedURLHandler?, _ scheme: String) {
    let old = values.write { values in
      let old = values.unmatched[scheme]
      values.unmatched[scheme] = handler
      return old
    }
    withExtendedLifetime(old) {}
  }

  func log(_ message: @autoclosure () -> String) { read { $0.verboseLog }?("[JLRoutes]: " + message()) }
}
