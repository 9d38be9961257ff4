/// What is shown: without a screen, the state that a screen would show.
///
/// Tabs hold stacks of pages; over them sheets may lie, and over everything one alert. A host with a screen draws
/// ``State`` after each change.
public final class Presenter: Sendable {
  /// All that is shown.
  public struct State: Sendable, Equatable {
    /// The stack of pages of each tab, the lowest first. There is at least one tab.
    public internal(set) var tabs: [[String]] = [[]]
    /// The tab that is seen.
    public internal(set) var selectedTab = 0
    /// The stacks of pages that lie over the tabs, the lowest first.
    public internal(set) var sheets: [[String]] = []
    /// The alert over everything.
    public internal(set) var alert: String?

    /// The page on top, the alert aside.
    public var top: String? { (sheets.last ?? tabs[selectedTab]).last }
  }

  private struct Storage {
    var state = State()
    var onChange: (@Sendable (State) -> Void)?
  }

  private let storage: ReadWriteLock<Storage>

  /// Makes a presenter that shows nothing.
  ///
  /// - Parameter tabs: how many tabs there are, at least one.
  public init(tabs: Int = 1) {
    var state = State()
    state.tabs = Array(repeating: [], count: max(tabs, 1))
    storage = ReadWriteLock(Storage(state: state))
  }

  /// What is shown now.
  public var state: State { storage.read { $0.state } }

  /// Calls this with what is shown after each change, on the thread of whoever changed it.
  public func onChange(_ handler: (@Sendable (State) -> Void)?) {
    // What the last one holds is let go of outside of the lock.
    let last = storage.write { storage in
      defer { storage.onChange = handler }
      return storage.onChange
    }
    withExtendedLifetime(last) {}
  }

  /// Puts a page on top of the stack that is seen: that of the topmost sheet, else of the tab. An alert goes first.
  public func push(_ page: String) {
    change { state in
      state.alert = nil
      if state.sheets.isEmpty {
        state.tabs[state.selectedTab].append(page)
      } else {
        state.sheets[state.sheets.count - 1].append(page)
      }
      return true
    }
  }

  /// Takes the page on top away.
  ///
  /// - Returns: false when there is none below it that could be seen then.
  @discardableResult public func pop() -> Bool {
    change { state in
      if let count = state.sheets.last?.count {
        guard count > 1 else { return false }
        state.sheets[state.sheets.count - 1].removeLast()
      } else {
        guard state.tabs[state.selectedTab].count > 1 else { return false }
        state.tabs[state.selectedTab].removeLast()
      }
      return true
    }
  }

  /// Lays a page over everything. An alert goes first.
  public func present(_ page: String) {
    change { state in
      state.alert = nil
      state.sheets.append([page])
      return true
    }
  }

  /// Takes the alert away, else the topmost sheet.
  ///
  /// - Returns: false when there was neither.
  @discardableResult public func dismiss() -> Bool {
    change { state in
      guard state.alert == nil else {
        state.alert = nil
        return true
      }
      return state.sheets.popLast() != nil
    }
  }

  /// Shows an alert, in the place of another.
  public func alert(_ text: String) {
    change { state in
      state.alert = text
      return true
    }
  }

  /// Shows another tab.
  ///
  /// - Returns: false when there is none of that number.
  @discardableResult public func select(tab: Int) -> Bool {
    change { state in
      guard state.tabs.indices.contains(tab) else { return false }
      state.selectedTab = tab
      return true
    }
  }

  @discardableResult private func change(_ body: (inout State) -> Bool) -> Bool {
    let (changed, state, handler) = storage.write { storage in
      (body(&storage.state), storage.state, storage.onChange)
    }
    if changed { handler?(state) }
    return changed
  }
}

/// What a module may do with the screen: show and take away pages, as long as it is not removed. Whoever draws the screen is
/// the host.
public struct ModulePresenter: Sendable {
  private let switchboard: Switchboard
  private let owner: ModuleOwner

  init(_ switchboard: Switchboard, _ owner: ModuleOwner) {
    self.switchboard = switchboard
    self.owner = owner
  }

  private var presenter: Presenter? { switchboard.router.isRemoved(owner) ? nil : switchboard.presenter }

  /// What is shown now.
  public var state: Presenter.State { switchboard.presenter.state }

  /// As ``Presenter/push(_:)``; nothing once the module was removed.
  public func push(_ page: String) { presenter?.push(page) }

  /// As ``Presenter/pop()``; false once the module was removed.
  @discardableResult public func pop() -> Bool { presenter?.pop() ?? false }

  /// As ``Presenter/present(_:)``; nothing once the module was removed.
  public func present(_ page: String) { presenter?.present(page) }

  /// As ``Presenter/dismiss()``; false once the module was removed.
  @discardableResult public func dismiss() -> Bool { presenter?.dismiss() ?? false }

  /// As ``Presenter/alert(_:)``; nothing once the module was removed.
  public func alert(_ text: String) { presenter?.alert(text) }

  /// As ``Presenter/select(tab:)``; false once the module was removed.
  @discardableResult public func select(tab: Int) -> Bool { presenter?.select(tab: tab) ?? false }
}
