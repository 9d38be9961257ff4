/// A table of factories for pages, which the host and its modules make by name.
///
/// Each module has its own names, so no module can make another one's page. A page is asked for as the systems do that
/// open pages by URL: by an empty name, which is the page that the module opens with; by a name, to which `Controller`
/// may be added; or by a board and an identifier, `Main/Settings`.
///
/// Of the parameters in a URL, a page receives only those that the signed description accepts for it.
public final class Pages: Sendable {
  struct Entry: Sendable {
    let id: Int
    let owner: ModuleOwner
    let name: PageName
    let accepted: Set<ExactText>
    let make: PageMaker
  }

  struct Key: Hashable, Sendable {
    let owner: ModuleOwner
    let name: ExactText

    init(_ owner: ModuleOwner, _ name: PageName) {
      self.owner = owner
      self.name = ExactText(name.text)
    }
  }

  struct State {
    var entries: [Key: Entry] = [:]
    var nextID = 0
    var onDropped: (@Sendable (DroppedParameters) -> Void)?
    var removed = RemovedOwners()
    /// Why modules are refused.
    var refused: [ModuleOwner: String] = [:]
  }

  let state = ReadWriteLock(State())

  /// Makes a table without factories.
  public init() {}

  /// Adds a factory of pages.
  ///
  /// - Parameters:
  ///   - name: the name of the page, `Board/Identifier`, or an empty text.
  ///   - owner: the owner of the factory, and of its pages.
  ///   - accepted: the names of the parameters that a URL may set.
  ///   - make: makes the page.
  /// - Throws: `page.name`, `page.conflict`, `module.removed`.
  public func register(
    _ name: String, owner: ModuleOwner, accepting accepted: Set<String> = [],
    make: @escaping @Sendable (PageRequest) throws -> Page
  ) throws(PluginError) {
    try register(PageName(name), of: owner, accepting: accepted, by: .anywhere(make))
  }

  /// Adds a factory of pages that runs on the main actor.
  ///
  /// - Parameters:
  ///   - name: the name of the page, `Board/Identifier`, or an empty text.
  ///   - owner: the owner of the factory, and of its pages.
  ///   - accepted: the names of the parameters that a URL may set.
  ///   - make: makes the page.
  /// - Throws: `page.name`, `page.conflict`, `module.removed`.
  public func register(
    _ name: String, owner: ModuleOwner, accepting accepted: Set<String> = [],
    makeOnMain make: @escaping @MainActor @Sendable (PageRequest) throws -> Page
  ) throws(PluginError) {
    try register(PageName(name), of: owner, accepting: accepted, by: .onMain(make))
  }

  func register(
    _ name: PageName, of owner: ModuleOwner, accepting accepted: Set<String>, by make: PageMaker
  ) throws(PluginError) {
    try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      guard state.entries[Key(owner, name)] == nil else {
        throw PluginError(
          .pageConflict, PluginURL.shown(name.text), "is a page of \(owner) already", expected: "one factory")
      }
      state.entries[Key(owner, name)] = Entry(
        id: state.nextID, owner: owner, name: name, accepted: Set(accepted.map(ExactText.init)), make: make)
      state.nextID += 1
    }
  }

  /// Removes a factory. Pages that it made stay.
  ///
  /// - Returns: whether it was registered.
  @discardableResult public func remove(_ name: String, owner: ModuleOwner) -> Bool {
    guard let name = try? PageName(name) else { return false }
    let old = state.write { state -> Entry? in
      guard !state.removed.contains(owner) else { return nil }
      return state.entries.removeValue(forKey: Key(owner, name))
    }
    return old != nil
  }

  /// Calls a handler when parameters of a URL are dropped. nil removes the handler.
  ///
  /// - Parameter handler: runs on the thread of the call, before the page is made.
  public func onDropped(_ handler: (@Sendable (DroppedParameters) -> Void)?) {
    let last = state.write { state in
      defer { state.onDropped = handler }
      return state.onDropped
    }
    withExtendedLifetime(last) {}
  }

  /// Whether a module has a factory for a page, as `make(_:of:parameters:userInfo:)` finds it.
  public func hasPage(_ page: String, of owner: ModuleOwner) -> Bool { (try? find(page, owner)) != nil }

  /// Makes a page of a module, on this thread or the main actor. In tasks, use the async form.
  ///
  /// - Parameters:
  ///   - page: what is asked for: a name, with or without `Controller` at its end; `Board/Identifier`; or an empty text.
  ///   - owner: the module.
  ///   - parameters: the parameters of the URL.
  ///   - userInfo: values from code.
  /// - Throws: `page.not-found`, `page.module-refused`, `page.failed`, `page.too-deep`, `module.removed`;
  ///   `route.timeout` if the main actor makes the page, and does not come to it; and any ``PluginError`` that the
  ///   factory throws.
  @available(*, noasync, message: "use the async form")
  public func make(
    _ page: String, of owner: ModuleOwner, parameters: [String: String] = [:], userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) -> Page {
    try make(page, of: owner, parameters: parameters, userInfo: userInfo, sender: .host)
  }

  /// Makes a page for a route's handler, on this thread or the main actor, in the name of who opened the URL.
  ///
  /// - Parameters:
  ///   - page: what is asked for: a name, with or without `Controller` at its end; `Board/Identifier`; or an empty text.
  ///   - owner: the module.
  ///   - parameters: the parameters of the URL.
  ///   - request: the request that the handler answers. Its values and its sender are those of the page's request.
  /// - Throws: as `make(_:of:parameters:userInfo:)`.
  @available(*, noasync, message: "use the async form")
  public func make(
    _ page: String, of owner: ModuleOwner, parameters: [String: String] = [:], answering request: RouteRequest
  ) throws(PluginError) -> Page {
    try make(page, of: owner, parameters: parameters, userInfo: request.userInfo, sender: request.sender)
  }

  /// Makes a page of a module, on a thread of the module or the main actor. The task keeps no thread meanwhile.
  ///
  /// - Throws: `page.not-found`, `page.module-refused`, `page.failed`, `page.too-deep`, `module.removed`, `route.busy`;
  ///   `route.timeout` if the main actor makes the page, and does not come to it; and any ``PluginError`` that the
  ///   factory throws.
  public func make(
    _ page: String, of owner: ModuleOwner, parameters: [String: String] = [:], userInfo: [String: any Sendable] = [:]
  ) async throws(PluginError) -> Page {
    try await make(page, of: owner, parameters: parameters, userInfo: userInfo, sender: .host)
  }

  func make(
    _ page: String, of owner: ModuleOwner, parameters: [String: String], userInfo: [String: any Sendable],
    sender: ModuleOwner
  ) async throws(PluginError) -> Page {
    try await HandlerThreads.of(owner).run(PluginURL.shown(page)) { () throws(PluginError) in
      try self.make(page, of: owner, parameters: parameters, userInfo: userInfo, sender: sender)
    }
  }

  @available(*, noasync, message: "use the async form")
  func make(
    _ page: String, of owner: ModuleOwner, parameters: [String: String], userInfo: [String: any Sendable],
    sender: ModuleOwner
  ) throws(PluginError) -> Page {
    let entry = try find(page, owner)
    let accepted = parameters.filter { entry.accepted.contains(ExactText($0.key)) }
    let dropped = parameters.keys.filter { accepted[$0] == nil }.sorted()
    let request = PageRequest(
      name: entry.name.text, parameters: accepted, dropped: dropped, userInfo: userInfo, sender: sender)
    return try Call(.pageTooDeep, page).run { () throws(PluginError) in
      if !dropped.isEmpty, let handler = state.read({ $0.onDropped }) {
        handler(DroppedParameters(owner: entry.owner, page: entry.name.text, names: dropped))
      }
      let made = try entry.make(request)
      // The owner may have been removed meanwhile. Then its page is not given out.
      try state.read { (state) throws(PluginError) in try state.removed.checkPresent(entry.owner) }
      return made.owned(by: entry.owner)
    }
  }

  /// - Throws: `page.not-found`, `page.module-refused`.
  private func find(_ page: String, _ owner: ModuleOwner) throws(PluginError) -> Entry {
    let name = try? PageName(page)
    let (entry, refusal) = state.read { state in
      let entry = name.flatMap { name in
        state.entries[Key(owner, name)] ?? name.asController.flatMap { state.entries[Key(owner, $0)] }
      }
      return (entry, state.refused[owner])
    }
    if let refusal {
      throw PluginError(
        .pageModuleRefused, PluginURL.shown(page), "belongs to \(owner), which is refused", found: refusal,
        hint: "ask the module's publisher for a release that is accepted")
    }
    guard let entry else {
      throw PluginError(.pageNotFound, PluginURL.shown(page), "is not a page of \(owner)")
    }
    return entry
  }

  /// Refuses the pages of a module that is refused.
  func refuse(_ owner: ModuleOwner, because reason: String) { state.write { $0.refused[owner] = reason } }

  /// Ends a refusal.
  func accept(_ owner: ModuleOwner) { state.write { $0.refused[owner] = nil } }

  /// Removes all factories of an owner.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let old = state.write { $0.remove(owner) }
    withExtendedLifetime(old) {}
  }
}

extension Pages.State: OwnedState {
  /// Removes what an owner has.
  ///
  /// - Returns: what may be released outside of the lock.
  mutating func remove(_ owner: ModuleOwner) -> [Pages.Key: Pages.Entry] {
    let old = entries
    entries = old.filter { $1.owner != owner }
    refused[owner] = nil
    return old
  }
}

extension Pages: RegistrationTable {
  func list(then next: () -> [TableEntry]) -> [TableEntry] {
    state.read { state in
      state.entries.values.sorted { $0.id < $1.id }.map {
        TableEntry(kind: .page, owner: "\($0.owner)", pattern: $0.name.text, priority: 0)
      } + next()
    }
  }
}

/// How a page is made.
enum PageMaker: Sendable {
  /// On the thread of the call.
  case anywhere(@Sendable (PageRequest) throws -> Page)
  /// On the main actor.
  case onMain(@MainActor @Sendable (PageRequest) throws -> Page)

  func callAsFunction(_ request: PageRequest) throws(PluginError) -> Page {
    func failure(_ error: any Error) -> PluginError {
      error as? PluginError
        ?? PluginError(.pageFailed, PluginURL.shown(request.name), "could not be made", cause: error)
    }
    switch self {
    case .anywhere(let make): do { return try make(request) } catch { throw failure(error) }
    case .onMain(let make):
      let limit = Router.defaultLimit
      let timeout = PluginError(
        .routeTimeout, PluginURL.shown(request.name), "was not made in time", expected: "an answer within \(limit)")
      let made = try MainThread.run(limit, timeout) { () throws(PluginError) in
        do { return try make(request) } catch { throw failure(error) }
      }
      guard let page = made as? Page else { throw timeout }
      return page
    }
  }
}
