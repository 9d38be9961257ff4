/// Pages of a module. It registers only factories that its description declares, and a URL sets only the parameters that
/// the description accepts for the page.
extension ModuleContext {
  /// Adds a factory of pages.
  ///
  /// - Parameters:
  ///   - page: the name of a page that the description declares, `Board/Identifier` for a page of a board, or an empty
  ///     text for the page that the module opens with.
  ///   - make: makes the page, on the thread of the call.
  /// - Throws: `page.undeclared`, `page.name`, `page.conflict`, `module.removed`.
  public func register(
    page: String, make: @escaping @Sendable (PageRequest) throws -> Page
  ) throws(PluginError) {
    try register(page: page, .anywhere(make))
  }

  /// Adds a factory of pages that runs on the main actor.
  ///
  /// - Throws: `page.undeclared`, `page.name`, `page.conflict`, `module.removed`.
  public func register(
    page: String, makeOnMain make: @escaping @MainActor @Sendable (PageRequest) throws -> Page
  ) throws(PluginError) {
    try register(page: page, .onMain(make))
  }

  private func register(page: String, _ make: PageMaker) throws(PluginError) {
    let name = try PageName(page)
    guard declaration.declares(name) else {
      throw PluginError(
        .pageUndeclared, PluginURL.shown(page), "is not a page that the description of \(owner) declares",
        hint: "add it to \(name.board == nil ? "\"pages\"" : "\"boards\"") in module.json, and sign the module again")
    }
    try switchboard.pages.register(name, of: owner, accepting: declaration.acceptedParameters[page] ?? [], by: make)
  }

  /// Removes a factory before its module. Pages that it made stay.
  ///
  /// - Returns: whether it was registered.
  @discardableResult public func remove(page: String) -> Bool { switchboard.pages.remove(page, owner: owner) }

  /// A page with an object that this module gives, to show here or elsewhere. It disappears with the module.
  ///
  /// - Parameters:
  ///   - title: the title.
  ///   - object: what the host draws, or another module uses.
  ///   - barItems: what the navigation bar has for the page.
  public func page(_ title: String, object: (any Sendable)? = nil, barItems: [BarItem] = []) -> Page {
    Page(title, object: object, barItems: barItems).owned(by: owner)
  }

  /// Makes a page of this module or another one, on this thread or the main actor.
  ///
  /// - Parameters:
  ///   - page: what is asked for: a name, with or without `Controller` at its end; `Board/Identifier`; or an empty text.
  ///   - module: the identifier of the module; nil for this one.
  ///   - parameters: the parameters of the URL.
  ///   - userInfo: values from code.
  /// - Throws: `page.not-found`, `page.module-refused`, `page.failed`, `page.too-deep`, `module.removed`,
  ///   `route.timeout`, and any ``PluginError`` that the factory throws.
  @available(*, noasync, message: "use the async form")
  public func makePage(
    _ page: String, of module: String? = nil, parameters: [String: String] = [:],
    userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) -> Page {
    try switchboard.pages.make(
      page, of: module.map { .module($0) } ?? owner, parameters: parameters, userInfo: userInfo, sender: owner)
  }

  /// Makes a page of this module or another one. The task keeps no thread meanwhile.
  ///
  /// - Throws: `page.not-found`, `page.module-refused`, `page.failed`, `page.too-deep`, `module.removed`, `route.busy`,
  ///   `route.timeout`, and any ``PluginError`` that the factory throws.
  public func makePage(
    _ page: String, of module: String? = nil, parameters: [String: String] = [:],
    userInfo: [String: any Sendable] = [:]
  ) async throws(PluginError) -> Page {
    try await switchboard.pages.make(
      page, of: module.map { .module($0) } ?? owner, parameters: parameters, userInfo: userInfo, sender: owner)
  }
}
