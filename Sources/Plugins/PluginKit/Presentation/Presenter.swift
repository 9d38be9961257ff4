/// The state of what is shown, even without a screen.
///
/// Tabs hold stacks of pages. Sheets can cover the tabs, an intro window can cover both, and one alert can cover
/// everything. A host with a screen draws ``State`` after each change, and passes on what the user does.
///
/// Pages of a module disappear with the module. What others are told about a change, they are told after it, on the
/// thread that made it, and without any lock.
public final class Presenter: Sendable {
  typealias OnClose = @Sendable (PageClosing) -> Void

  let storage: ReadWriteLock<Storage>

  /// Makes a presenter that shows nothing.
  ///
  /// - Parameter tabs: the number of tabs. Without any, pages are laid over everything instead of being pushed.
  public init(tabs: Int = 1) {
    var state = State()
    state.tabStacks = Array(repeating: [], count: max(tabs, 0))
    storage = ReadWriteLock(Storage(state: state))
  }

  /// Everything that is shown now.
  public var state: State { storage.read { $0.state } }

  /// Calls a handler with the state after each change, on the thread that made the change.
  public func onChange(_ handler: (@Sendable (State) -> Void)?) {
    // What the last handler holds is released outside of the lock.
    let last = storage.write { storage in
      defer { storage.onChange = handler }
      return storage.onChange
    }
    withExtendedLifetime(last) {}
  }

  // MARK: Showing

  /// Puts a page on top of the visible stack: that of the topmost sheet, else of the tab. It closes an alert first.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - onClose: called once, when the page has left the screen.
  /// - Returns: false if the page is shown already, or its owner was removed.
  @discardableResult public func push(
    _ page: Page, onClose: (@Sendable (PageClosing) -> Void)? = nil
  ) -> Bool {
    put(page, by: .host, onClose: onClose) { $0.push($1) }
  }

  /// Puts a page on top of the visible stack, as ``push(_:onClose:)`` does.
  public func push(_ title: String) { push(Page(title)) }

  /// Lays a page over everything. It closes an alert first.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - onClose: called once, when the page has left the screen.
  /// - Returns: false if the page is shown already, or its owner was removed.
  @discardableResult public func present(
    _ page: Page, onClose: (@Sendable (PageClosing) -> Void)? = nil
  ) -> Bool {
    put(page, by: .host, onClose: onClose) { $0.sheetStacks.append([$1]) }
  }

  /// Lays a page over everything, as ``present(_:onClose:)`` does.
  public func present(_ title: String) { present(Page(title)) }

  /// Has a page present itself, if its object can. Any other page is pushed.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - onClose: called once, when a page that was pushed has left the screen.
  /// - Returns: whether the page is shown.
  @discardableResult public func show(
    _ page: Page, onClose: (@Sendable (PageClosing) -> Void)? = nil
  ) -> Bool {
    show(page, by: .host, onClose)
  }

  func show(_ page: Page, by owner: ModuleOwner, _ onClose: OnClose?) -> Bool {
    guard let object = page.object as? any SelfPresentingPage else {
      return put(page, by: owner, onClose: onClose) { $0.push($1) }
    }
    let page = page.owned(by: owner)
    guard storage.read({ !$0.removed.contains(owner) && !$0.removed.contains(page.owner) }) else { return false }
    return nest { object.presentSelf(page) }
  }

  /// Opens a page as an application does at its start: in an intro window, or on the visible stack.
  ///
  /// The intro window is shown until the next page is opened. If there is no stack, the page is laid over everything.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - isFullScreen: whether it is an intro.
  ///   - onClose: called once, when the page has left the screen.
  /// - Returns: how the page is shown; nil if it is shown already, or its owner was removed.
  @discardableResult public func open(
    _ page: Page, isFullScreen: Bool = false, onClose: (@Sendable (PageClosing) -> Void)? = nil
  ) -> Presentation? {
    open(page, by: .host, isFullScreen, onClose)
  }

  func open(_ page: Page, by owner: ModuleOwner, _ isFullScreen: Bool, _ onClose: OnClose?) -> Presentation? {
    var presentation = Presentation.intro
    let isShown = put(page, by: owner, onClose: onClose) { state, page in
      let last = state.intro
      state.intro = nil
      if isFullScreen {
        state.intro = page
      } else {
        presentation = state.hasStack ? .push(previousHidden: last != nil) : .present
        state.push(page)
      }
    }
    return isShown ? presentation : nil
  }

  func push(_ page: Page, by owner: ModuleOwner, _ onClose: OnClose?) -> Bool {
    put(page, by: owner, onClose: onClose) { $0.push($1) }
  }

  func present(_ page: Page, by owner: ModuleOwner, _ onClose: OnClose?) -> Bool {
    put(page, by: owner, onClose: onClose) { $0.sheetStacks.append([$1]) }
  }

  private func put(
    _ page: Page, by owner: ModuleOwner, onClose: OnClose?, _ place: (inout State, Page) -> Void
  ) -> Bool {
    let page = page.owned(by: owner)
    return change { storage in
      guard !storage.removed.contains(owner), !storage.removed.contains(page.owner),
        storage.state.page(page.id) == nil
      else { return nil }
      let alert = storage.takeAlert()
      let last = storage.state.intro
      place(&storage.state, page)
      storage.shown[page.id] = (owner, onClose)
      // An intro window that the page hides.
      let hidden = last.map { storage.state.page($0.id) == nil ? [$0] : [] } ?? []
      let shown = { (page.object as? any PageController)?.didShow(page) ?? () }
      return alert + storage.take(hidden) { _ in .closed(result: nil) } + [shown]
    }
  }

  // MARK: Closing

  /// Removes the page on top, unless it refuses.
  ///
  /// - Parameter result: the result of the page, for the code that showed it.
  /// - Returns: false if there is no page below it to show, or the page refuses.
  @discardableResult public func pop(result: (any Sendable)? = nil) -> Bool { close(.top, result) }

  /// Removes a page, wherever it is, unless it refuses. Pages above it stay.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - result: the result of the page, for the code that showed it.
  /// - Returns: false if it is not shown, is the first of a tab, or refuses.
  @discardableResult public func close(_ page: Page.ID, result: (any Sendable)? = nil) -> Bool {
    close(.page(page), result)
  }

  /// Removes the alert, which gives no answer, or else the topmost sheet, unless one of its pages refuses.
  ///
  /// - Parameter result: the result of the page on top of the sheet, for the code that showed it.
  /// - Returns: false if there was neither, or a page refuses.
  @discardableResult public func dismiss(result: (any Sendable)? = nil) -> Bool {
    dismiss(result, by: nil)
  }

  func dismiss(_ result: (any Sendable)?, by owner: ModuleOwner?) -> Bool {
    choose(0, by: owner) || close(.sheet, result, by: owner)
  }

  /// Removes the intro window, unless its page refuses.
  ///
  /// - Parameter result: the result of the page, for the code that showed it.
  /// - Returns: false if there is no intro window, or its page refuses.
  @discardableResult public func closeIntro(result: (any Sendable)? = nil) -> Bool { close(.intro, result) }

  /// - Parameter owner: a module that may close only what it has or shows; nil for whatever is there.
  func close(_ closing: Closing, _ result: (any Sendable)?, by owner: ModuleOwner? = nil) -> Bool {
    nest { closeNow(closing, result, by: owner) }
  }

  private func closeNow(_ closing: Closing, _ result: (any Sendable)?, by owner: ModuleOwner?) -> Bool {
    while true {
      let pages = storage.read { storage -> [Page] in
        let pages = storage.state.pages(of: closing)
        guard let owner else { return pages }
        guard !storage.removed.contains(owner) else { return [] }
        if case .page = closing {
          return pages.filter { $0.owner == owner || storage.shown[$0.id]?.by == owner }
        }
        return pages
      }
      guard let first = pages.first else { return false }
      // Only the page on top has the result. The pages are asked outside of the lock.
      let result = { (page: Page) in page.id == first.id ? result : nil }
      for page in pages {
        guard (page.object as? any PageController)?.mayClose(page, result: result(page)) != false else {
          return false
        }
      }
      // Meanwhile, something else may have changed. Then what is there now is asked.
      let isClosed = change { storage in
        guard owner.map(storage.removed.contains) != true,
          storage.state.pages(of: closing).map(\.id) == pages.map(\.id)
        else { return nil }
        return storage.take(pages) { .closed(result: result($0)) }
      }
      if isClosed { return true }
    }
  }

  // MARK: Alerts

  /// Shows an alert, which replaces another one.
  ///
  /// - Parameters:
  ///   - alert: the alert.
  ///   - onChoice: called once with the index of the choice: 0 if there is no answer, else 1 and so on.
  public func alert(_ alert: Alert, onChoice: (@Sendable (Int) -> Void)? = nil) {
    _ = self.alert(alert, by: .host, onChoice)
  }

  /// Shows an alert without choices, which replaces another one.
  public func alert(_ text: String) { alert(Alert(text)) }

  /// - Returns: false if the owner was removed.
  func alert(_ alert: Alert, by owner: ModuleOwner, _ onChoice: (@Sendable (Int) -> Void)?) -> Bool {
    change { storage in
      guard !storage.removed.contains(owner) else { return nil }
      let last = storage.takeAlert()
      var alert = alert
      alert.owner = owner
      storage.state.shownAlert = alert
      storage.onChoice = onChoice
      return last
    }
  }

  /// Shows an alert, and waits for the choice.
  ///
  /// - Returns: the index of the choice: 0 if there is no answer, else 1 and so on.
  public func ask(_ alert: Alert) async -> Int { await ask(alert, by: .host) }

  func ask(_ alert: Alert, by owner: ModuleOwner) async -> Int {
    await withCheckedContinuation { continuation in
      if !self.alert(alert, by: owner, { continuation.resume(returning: $0) }) { continuation.resume(returning: 0) }
    }
  }

  /// Answers the alert, and removes it. This is for the code that draws it.
  ///
  /// - Parameter index: the index of the choice: 0 for no answer, else 1 and so on.
  /// - Returns: false if there is no alert, or it has no such choice.
  @discardableResult public func choose(_ index: Int) -> Bool { choose(index, by: nil) }

  private func choose(_ index: Int, by owner: ModuleOwner?) -> Bool {
    change { storage in
      guard owner.map(storage.removed.contains) != true, let alert = storage.state.shownAlert,
        (0...alert.choices.count).contains(index)
      else { return nil }
      return storage.takeAlert(choosing: index)
    }
  }

  // MARK: Tabs and bars

  /// Shows another tab.
  ///
  /// - Returns: false if there is no tab with this index.
  @discardableResult public func select(tab: Int) -> Bool { select(tab: tab, by: .host) }

  func select(tab: Int, by owner: ModuleOwner) -> Bool {
    change { storage in
      guard !storage.removed.contains(owner), storage.state.tabStacks.indices.contains(tab) else { return nil }
      storage.state.selectedTab = tab
      return []
    }
  }

  /// Changes the title or the bar items of a page that is shown. What is nil stays.
  ///
  /// - Returns: false if the page is not shown.
  @discardableResult public func update(_ page: Page.ID, title: String? = nil, barItems: [BarItem]? = nil) -> Bool {
    update(page, title, barItems, by: nil)
  }

  /// - Parameter owner: a module that may change only what it has or shows; nil for whatever is there.
  func update(_ id: Page.ID, _ title: String?, _ barItems: [BarItem]?, by owner: ModuleOwner?) -> Bool {
    change { storage in
      guard let page = storage.state.page(id) else { return nil }
      if let owner {
        guard !storage.removed.contains(owner), page.owner == owner || storage.shown[id]?.by == owner else {
          return nil
        }
      }
      storage.state.update(id) { page in
        if let title { page.title = title }
        if let barItems { page.barItems = barItems }
      }
      return []
    }
  }

  /// Tells a page's object that the user tapped an item of its bar. This is for the code that draws it.
  ///
  /// - Returns: false if the page is not shown, has no such item, or has no object that hears of it.
  @discardableResult public func tap(_ item: BarItem, on page: Page.ID) -> Bool {
    guard let page = state.page(page), page.barItems.contains(item),
      let controller = page.object as? any PageController
    else { return false }
    controller.didTap(item, on: page)
    return true
  }

  /// Changes what is shown, and tells those concerned.
  ///
  /// - Parameter body: returns the calls to make afterwards; nil if nothing has changed.
  private func change(_ body: (inout Storage) -> [() -> Void]?) -> Bool {
    nest {
      let (calls, state, handler) = storage.write { storage in
        (body(&storage), storage.state, storage.onChange)
      }
      guard let calls else { return false }
      handler?(state)
      for call in calls { call() }
      return true
    }
  }

  /// Does something of which pages and others hear, who may do the same in turn.
  ///
  /// - Returns: false if too many calls are nested. Then nothing was done.
  private func nest(_ body: () -> Bool) -> Bool {
    guard let call = try? Call(.pageTooDeep, "the presenter") else { return false }
    return call.run(body)
  }
}
