import JLRoutesFace
import PluginKit
import Synchronization
import Testing

/// The calls of one owner, and what its handlers got last.
final class JLProbe: Sendable {
  let jlRoutes: JLRouter
  private let last = Mutex<[String: any Sendable]?>(nil)
  private let failures = Mutex<[PluginError.Code]>([])

  init(_ jlRoutes: JLRouter = JLRouter(Switchboard())) {
    self.jlRoutes = jlRoutes
    jlRoutes.onFailure = { [weak self] error in self?.failures.withLock { $0.append(error.code) } }
  }

  /// A handler that notes what it gets, and handles it.
  var handler: @Sendable ([String: any Sendable]) -> Bool {
    { [self] parameters in
      note(parameters)
      return true
    }
  }

  /// Adds routes with that handler.
  func add(_ patterns: String..., scheme: String = JLRoutesGlobalRoutesScheme, priority: UInt = 0) throws {
    for pattern in patterns {
      try jlRoutes.routes(forScheme: scheme).addRoute(pattern, priority: priority, handler: handler)
    }
  }

  func note(_ parameters: [String: any Sendable]) { last.withLock { $0 = parameters } }

  /// The codes of failures since the last call.
  var codes: [PluginError.Code] {
    failures.withLock { codes in
      defer { codes = [] }
      return codes
    }
  }

  /// All that the last handler got; nil if none was called since the last URL.
  var parameters: [String: any Sendable]? { last.withLock { $0 } }
  var pattern: String? { parameters?[JLRoutePatternKey] as? String }
  var scheme: String? { parameters?[JLRouteSchemeKey] as? String }

  /// Routes a URL.
  ///
  /// - Returns: what the handler got, without the three keys that are always there; nil if none handled the URL.
  @discardableResult func route(
    _ url: String?, _ parameters: [String: any Sendable] = [:], in routes: JLRoutes? = nil
  ) -> [String: String]? {
    last.withLock { $0 = nil }
    let isRouted = routes?.routeURL(url, withParameters: parameters)
    guard isRouted ?? jlRoutes.routeURL(url, withParameters: parameters) else { return nil }
    return own
  }

  /// What the last handler got, without the three keys that are always there.
  var own: [String: String]? {
    parameters.map { parameters in
      let keys = [JLRoutePatternKey, JLRouteURLKey, JLRouteSchemeKey]
      if !keys.allSatisfy({ parameters[$0] is String }) { Issue.record("\(parameters) lacks one of \(keys)") }
      return parameters.filter { !keys.contains($0.key) }.mapValues(Self.shown)
    }
  }

  /// A list as `[a|b]`.
  static func shown(_ value: any Sendable) -> String {
    (value as? [String]).map { "[\($0.joined(separator: "|"))]" } ?? "\(value)"
  }
}

/// What happened, in order.
final class Log: Sendable {
  private let entries = Mutex<[String]>([])
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }
  var all: [String] { entries.withLock { $0 } }
  /// What happened since the last call.
  func taken() -> [String] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

/// Runs something that has to be refused with this code.
func expectPluginError<Result>(
  _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
  do {
    let result = try body()
    Issue.record("gave \(result) instead of \(code)", sourceLocation: sourceLocation)
  } catch { #expect((error as? PluginError)?.code == code, "\(error)", sourceLocation: sourceLocation) }
}
