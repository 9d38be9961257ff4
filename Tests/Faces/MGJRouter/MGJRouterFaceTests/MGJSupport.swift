import MGJRouterFace
import PluginKit
import Synchronization
import Testing

/// What handlers were called with, in its order, from whatever thread.
final class Calls: Sendable {
  private let calls = Mutex<[(name: String, parameters: MGJRouterParameters)]>([])

  func add(_ name: String, _ parameters: MGJRouterParameters) { calls.withLock { $0.append((name, parameters)) } }

  var count: Int { calls.withLock { $0.count } }
  /// The names of the handlers that ran.
  var names: [String] { calls.withLock { $0.map(\.name) } }
  /// What the last handler got.
  var last: MGJRouterParameters? { calls.withLock { $0.last?.parameters } }
}

/// A host's router whose handlers say which of them ran.
struct Fixture {
  let switchboard: Switchboard
  let router: MGJRouter
  let calls = Calls()

  init(_ patterns: String..., defaultScheme: String? = nil) throws {
    switchboard = Switchboard(defaultScheme: defaultScheme)
    router = MGJRouter(switchboard)
    for pattern in patterns { try register(pattern) }
  }

  /// Registers a handler with this name, or with that of the pattern.
  func register(_ pattern: String, as name: String? = nil) throws {
    try router.registerURLPattern(pattern) { [calls] in calls.add(name ?? pattern, $0) }
  }

  /// The name of the handler that ran; nil if none did because there is none.
  ///
  /// A URL can be opened if and only if a handler runs.
  func ran(_ url: String, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
    let before = calls.count
    let error = router.openURL(url)
    let names = calls.names.dropFirst(before)
    #expect(names.count == (error == nil ? 1 : 0), "\(names)", sourceLocation: sourceLocation)
    #expect(router.canOpenURL(url) == (error == nil), "\(url)", sourceLocation: sourceLocation)
    if let error { #expect(error.code == .routeNotFound, "\(error)", sourceLocation: sourceLocation) }
    return names.last
  }

  /// Opens a URL that has a handler.
  func parameters(_ url: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> MGJRouterParameters {
    let before = calls.count
    let error = router.openURL(url)
    #expect(error == nil && calls.count == before + 1, "\(url)", sourceLocation: sourceLocation)
    return try #require(calls.last, sourceLocation: sourceLocation)
  }
}

/// The context of a module that declares these routes.
func context(
  _ switchboard: Switchboard, _ name: String, _ routes: [String]
) throws -> ModuleContext {
  try switchboard.context(for: ModuleDeclaration(identifier: "com.example.\(name)", routes: routes))
}

/// Runs a body that has to fail with this code.
func expectPluginError(
  _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Any?
) {
  do {
    let result = try body()
    Issue.record("gave \(String(describing: result)) instead of \(code)", sourceLocation: sourceLocation)
  } catch { #expect((error as? PluginError)?.code == code, "\(error)", sourceLocation: sourceLocation) }
}
