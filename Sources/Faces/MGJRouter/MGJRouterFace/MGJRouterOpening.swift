public import PluginKit

/// Opening URLs, and asking for objects.
extension MGJRouter {
  /// Opens a URL, and waits until its handler has returned.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait for a handler that runs elsewhere, such as on the main actor.
  ///   - completion: passed to the handler, which calls it when it has finished.
  /// - Returns: nil if a handler ran; otherwise why none did, or how it failed: `route.…`, `url.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func openURL(
    _ url: some RoutableURL, withUserInfo userInfo: [String: any Sendable]? = nil,
    limit: Duration = Router.defaultLimit, completion: MGJRouterCompletion? = nil
  ) -> PluginError? {
    let values = Self.values(userInfo, completion)
    do throws(PluginError) {
      switch side {
      case .host(let router): try router.open(url, userInfo: values, limit: limit)
      case .module(let context): try context.open(url, userInfo: values, limit: limit)
      }
      return nil
    } catch { return error }
  }

  /// Opens a URL, and waits until its handler has returned, without keeping a thread.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait for a handler that runs elsewhere, such as on the main actor.
  ///   - completion: passed to the handler, which calls it when it has finished.
  /// - Returns: nil if a handler ran; otherwise why none did, or how it failed: `route.…`, `url.…`.
  @discardableResult public func openURL(
    _ url: some RoutableURL & Sendable, withUserInfo userInfo: [String: any Sendable]? = nil,
    limit: Duration = Router.defaultLimit, completion: MGJRouterCompletion? = nil
  ) async -> PluginError? {
    let values = Self.values(userInfo, completion)
    do throws(PluginError) {
      switch side {
      case .host(let router): try await router.open(url, userInfo: values, limit: limit)
      case .module(let context): try await context.open(url, userInfo: values, limit: limit)
      }
      return nil
    } catch { return error }
  }

  /// Opens a URL on the main actor with values that need not be `Sendable`.
  ///
  /// Handlers on the main actor get the values as they are. To other handlers, a value is in a `MainActorValue`, unless
  /// it is a text, a number, a Boolean or bytes.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait for a handler that runs elsewhere. Those on the main actor run at once.
  ///   - completion: passed to the handler, which calls it when it has finished.
  /// - Returns: nil if a handler ran; otherwise why none did, or how it failed: `route.…`, `url.…`.
  @available(*, noasync, message: "use the async form")
  @MainActor @discardableResult public func openURLOnMain(
    _ url: some RoutableURL, withUserInfo userInfo: [String: Any]? = nil, limit: Duration = Router.defaultLimit,
    completion: MGJRouterMainCompletion? = nil
  ) -> PluginError? {
    do throws(PluginError) {
      _ = try answerOnMain(url, for: .open, with: MainInput(userInfo, completion), limit: limit)
      return nil
    } catch { return error }
  }

  /// Opens a URL on the main actor with values that need not be `Sendable`, without keeping the main thread.
  ///
  /// - Parameters: as those of the form that blocks.
  /// - Returns: nil if a handler ran; otherwise why none did, or how it failed: `route.…`, `url.…`.
  @MainActor @discardableResult public func openURLOnMain(
    _ url: some RoutableURL, withUserInfo userInfo: [String: Any]? = nil, limit: Duration = Router.defaultLimit,
    completion: MGJRouterMainCompletion? = nil
  ) async -> PluginError? {
    do throws(PluginError) {
      _ = try await answerOnMain(url, for: .open, with: MainInput(userInfo, completion), limit: limit)
      return nil
    } catch { return error }
  }

  /// The object of a URL.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait for a handler that runs elsewhere, such as on the main actor.
  /// - Returns: nil if no object handler serves the URL, or it gives none. That of a handler on the main actor is in a
  ///   `MainActorValue`, unless it is a text, a number, a Boolean or bytes.
  @available(*, noasync, message: "use the async form")
  public func object(
    forURL url: some RoutableURL, withUserInfo userInfo: [String: any Sendable]? = nil,
    limit: Duration = Router.defaultLimit
  ) -> (any Sendable)? {
    switch side {
    case .host(let router): router.object(for: url, userInfo: userInfo ?? [:], limit: limit)
    case .module(let context): context.object(for: url, userInfo: userInfo ?? [:], limit: limit)
    }
  }

  /// The object of a URL, for tasks.
  ///
  /// - Parameters: as those of the form that blocks.
  /// - Returns: nil in the same cases.
  public func object(
    forURL url: some RoutableURL & Sendable, withUserInfo userInfo: [String: any Sendable]? = nil,
    limit: Duration = Router.defaultLimit
  ) async -> (any Sendable)? {
    switch side {
    case .host(let router): await router.object(for: url, userInfo: userInfo ?? [:], limit: limit)
    case .module(let context): await context.object(for: url, userInfo: userInfo ?? [:], limit: limit)
    }
  }

  /// The object of a URL on the main actor. It need not be `Sendable`, nor need the values.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait for a handler that runs elsewhere.
  /// - Returns: nil if no object handler serves the URL, or it gives none.
  @available(*, noasync, message: "use the async form")
  @MainActor public func objectOnMain(
    forURL url: some RoutableURL, withUserInfo userInfo: [String: Any]? = nil, limit: Duration = Router.defaultLimit
  ) -> Any? {
    (try? answerOnMain(url, for: .object, with: MainInput(userInfo, nil), limit: limit)).flatMap { $0 }
  }

  /// The object of a URL on the main actor, for tasks.
  ///
  /// - Parameters: as those of the form that blocks.
  /// - Returns: nil in the same cases.
  @MainActor public func objectOnMain(
    forURL url: some RoutableURL, withUserInfo userInfo: [String: Any]? = nil, limit: Duration = Router.defaultLimit
  ) async -> Any? {
    (try? await answerOnMain(url, for: .object, with: MainInput(userInfo, nil), limit: limit)).flatMap { $0 }
  }

  /// What PluginKit passes to handlers.
  private static func values(
    _ userInfo: [String: any Sendable]?, _ completion: MGJRouterCompletion?
  ) -> [String: any Sendable] {
    var values = userInfo ?? [:]
    if let completion { values[MGJRouterParameterCompletion] = completion }
    return values
  }

  @MainActor private func answerOnMain(
    _ url: some RoutableURL, for use: RouteUses, with input: MainInput, limit: Duration
  ) throws(PluginError) -> Any? {
    switch side {
    case .host(let router):
      try router.openOnMain(url, userInfo: input.sendable, mainInfo: input.values, for: use, limit: limit)
    case .module(let context):
      try context.openOnMain(url, userInfo: input.sendable, mainInfo: input.values, for: use, limit: limit)
    }
  }

  @MainActor private func answerOnMain(
    _ url: some RoutableURL, for use: RouteUses, with input: MainInput, limit: Duration
  ) async throws(PluginError) -> Any? {
    switch side {
    case .host(let router):
      try await router.openOnMain(url, userInfo: input.sendable, mainInfo: input.values, for: use, limit: limit)
    case .module(let context):
      try await context.openOnMain(url, userInfo: input.sendable, mainInfo: input.values, for: use, limit: limit)
    }
  }
}

/// What a caller on the main actor passes to handlers: as it is for those on the main actor, and as others may see it.
@MainActor private struct MainInput {
  private(set) var values: [String: Any]
  private(set) var sendable: [String: any Sendable]

  init(_ userInfo: [String: Any]?, _ completion: MGJRouterMainCompletion?) {
    values = userInfo ?? [:]
    sendable = values.compactMapValues { MainActorValue.sendable($0) }
    guard let completion else { return }
    values[MGJRouterParameterCompletion] = completion
    let hop: MGJRouterCompletion = { result in
      guard MainThread.isMainActor else {
        Task { @MainActor in completion(result) }
        return
      }
      MainActor.assumeIsolated { completion(result) }
    }
    sendable[MGJRouterParameterCompletion] = hop
  }
}
