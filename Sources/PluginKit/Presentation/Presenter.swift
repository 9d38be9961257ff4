/// The state of what is shown, even without a screen.
///
/// Tabs hold stacks of pages. Sheets can cover the tabs, and one alert can cover everything. A host with a screen draws
/// ``State`` after each change.
public final class Presenter: Sendable {
  /// Everything that is shown.
  public struct State: Sendable, Equatable {
    /// The stack of pages of each tab, the lowest first. There is at least one tab.
    public internal(set) var tabs: [[String]] = [[]]
    /// The index of the visible tab.
    public internal(set) var selectedTab = 0
    /// The stacks of pages over the tabs, the lowest first.
    public internal(set) var sheets: [[String]] = []
    /// The alert over everything.
    public internal(set) var alert: String?

    /// The page on top, below any alert.
    public var top: String? { (sheets.last ?? tabs[selectedTab]).last }
  }

  private struct Storage {
    var state = State()
    var onChange: (@Sendable (State) -> Void)?
  }

  private let storage: ReadWriteLock<Storage>

  /// Makes a presenter that shows nothing.
  ///
  /// - Parameter tabs: the number of tabs, at least one.
  public init(tabs: Int = 1) {
    var state = State()
    state.tabs = Array(repeating: [], count: max(tabs, 1))
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

  /// Puts a page on top of the visible stack: that of the topmost sheet, else of the tab. It closes an alert first.
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

  /// Removes the page on top.
  ///
  /// - Returns: false if there is no page below it to show.
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

  /// Lays a page over everything. It closes an alert first.
  public func present(_ page: String) {
    change { state in
      state.alert = nil
      state.sheets.append([page])
      return true
    }
  }

  /// Removes the alert, or else the topmost sheet.
  ///
  /// - Returns: false if there was neither.
  @discardableResult public func dismiss() -> Bool {
    change { state in
      guard state.alert == nil else {
        state.alert = nil
        return true
      }
      return state.sheets.popLast() != nil
    }
  }

  /// Shows an alert, which replaces another one.
  public func alert(_ text: String) {
    change { state in
      state.alert = text
      return true
    }
  }

  /// Shows another tab.
  ///
  /// - Returns: false if there is no tab with this index.
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

/// A module's access to the screen: it can show and remove pages until it is removed itself.
///
/// The host draws the screen.
public struct ModulePresenter: Sendable {
  private let switchboard: Switchboard
  private let owner: ModuleOwner
  private let generation: Int

  init(_ switchboard: Switchboard, _ owner: ModuleOwner, _ generation: Int) {
    self.switchboard = switchboard
    self.owner = owner
    self.generation = generation
  }

  private var presenter: Presenter? {
    switchboard.isAdmitted(owner, generation) ? switchboard.presenter : nil
  }

  /// Everything that is shown now.
  public var state: Presenter.State { switchboard.presenter.state }

  /// Puts a page on top of the visible stack, as ``Presenter/push(_:)`` does. It does nothing once the module was
  /// removed.
  public func push(_ page: String) { presenter?.push(page) }

  /// Removes the page on top, as ``Presenter/pop()`` does. It returns false once the module was removed.
  @discardableResult public func pop() -> Bool { presenter?.pop() ?? false }

  /// Lays a page over everything, as ``Presenter/present(_:)`` does. It does nothing once the module was removed.
  public func present(_ page: String) { presenter?.present(page) }

  /// Removes the alert, or else the topmost sheet, as ``Presenter/dismiss()`` does. It returns false once the module
  /// was removed.
  @discardableResult public func dismiss() -> Bool { presenter?.dismiss() ?? false }

  /// Shows an alert, as ``Presenter/alert(_:)`` does. It does nothing once the module was removed.
  public func alert(_ text: String) { presenter?.alert(text) }

  /// Shows another tab, as ``Presenter/select(tab:)`` does. It returns false once the module was removed.
  @discardableResult public func select(tab: Int) -> Bool { presenter?.select(tab: tab) ?? false }
}
