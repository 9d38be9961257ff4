public import PluginKit

/// Calls by URL: `scheme://target/action?name=value`.
extension CTMediator {
  /// Calls the action that a URL names: `aaa://A/show?id=1234` is the action `show` of the target `A`.
  ///
  /// The path is one part, which is the action. A URL cannot call a local action, an action whose name begins with
  /// `native`, or a target of a Swift module, and it cannot have a parameter whose name begins with `kCTMediator`.
  ///
  /// - Parameters:
  ///   - url: the URL; nil is no URL.
  ///   - completion: called exactly once, before this returns, with the result under the key `result`; with nil if
  ///     the action has no result.
  /// - Returns: the action's result; `false` if a URL may not make this call; nil if the action has no result, or there
  ///   is no answer.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func performAction<URL: RoutableURL>(
    withUrl url: URL?, completion: ((CTParams?) -> Void)? = nil
  ) -> (any Sendable)? {
    let result = Self.result(outcome(of: url))
    completion?(result.map { ["result": $0] })
    return result
  }

  /// Calls the action that a URL names. The task keeps no thread meanwhile.
  ///
  /// - Returns: the action's result; `false` if a URL may not make this call; nil if the action has no result, or there
  ///   is no answer.
  @discardableResult public func performAction<URL: RoutableURL & Sendable>(
    withUrl url: URL?
  ) async -> (any Sendable)? {
    Self.result(await outcome(of: url))
  }

  /// Calls the action that a URL names, and says why there is no answer.
  ///
  /// - Parameters:
  ///   - url: the URL; nil is no URL.
  ///   - limit: the longest time to wait for an action that does not answer at once.
  /// - Returns: the action's result, or `action.url`, `action.local`, `action.reserved-key`, `url.…`, `target.…`,
  ///   `action.…`; for an action that runs on another thread also `route.timeout`, `route.no-answer`, `route.busy`;
  ///   or any `PluginError` that the action throws.
  @available(*, noasync, message: "use the async form")
  public func outcome<URL: RoutableURL>(of url: URL?, limit: Duration = Router.defaultLimit) -> RouteAnswer {
    RouteAnswer { () throws(PluginError) in try caller().perform(Self.remote(url), limit: limit) }
  }

  /// Calls the action that a URL names, and says why there is no answer. The task keeps no thread meanwhile.
  ///
  /// - Returns: the same, `route.busy` for any action, and `route.cancelled` for one that does not answer at once.
  public func outcome<URL: RoutableURL & Sendable>(
    of url: URL?, limit: Duration = Router.defaultLimit
  ) async -> RouteAnswer {
    do throws(PluginError) { return .success(try await caller().perform(Self.remote(url), limit: limit)) } catch {
      return .failure(error)
    }
  }

  /// Reads a URL.
  ///
  /// A target of a Swift module has a dot in its name. The original reached it only by a parameter that URLs cannot
  /// have, so the dot must not be another way.
  private static func remote(_ url: (some RoutableURL)?) throws(PluginError) -> PluginURL {
    guard let url else { throw PluginError(.urlMalformed, "nil", "is not a URL", expected: "scheme://target/action") }
    let parsed = try url.pluginURL(defaultScheme: nil)
    guard !parsed.host.contains(".") else {
      throw PluginError(
        .actionLocal, PluginURL.shown(parsed.text), "names a target of a Swift module, which URLs cannot call")
    }
    return parsed
  }

  /// The refusals for which the original returned `@(NO)`: what only code may call, however the URL is written.
  private static let refusals: Set<PluginError.Code> = [.actionLocal, .actionURL, .actionReservedKey, .targetName]

  private static func result(_ answer: RouteAnswer) -> (any Sendable)? {
    switch answer {
    case .success(let result): result
    case .failure(let error): refusals.contains(error.code) ? false : nil
    }
  }
}
