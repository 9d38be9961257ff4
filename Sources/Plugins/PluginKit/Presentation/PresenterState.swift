extension Presenter {
  /// Everything that is shown.
  public struct State: Sendable, Equatable {
    /// The stack of pages of each tab, the lowest first. Empty if the presenter has no tabs.
    public internal(set) var tabStacks: [[Page]] = [[]]
    /// The index of the visible tab.
    public internal(set) var selectedTab = 0
    /// The stacks of pages over the tabs, the lowest first.
    public internal(set) var sheetStacks: [[Page]] = []
    /// The page in a window of its own over tabs and sheets.
    public internal(set) var intro: Page?
    /// The alert over everything.
    public internal(set) var shownAlert: Alert?

    /// The page on top of the visible stack, below any intro window and alert.
    public var topPage: Page? { visibleStack.last }

    /// The titles of the pages of each tab.
    public var tabs: [[String]] { tabStacks.map { $0.map(\.title) } }
    /// The titles of the pages over the tabs.
    public var sheets: [[String]] { sheetStacks.map { $0.map(\.title) } }
    /// The title of the page on top of the visible stack.
    public var top: String? { topPage?.title }
    /// The title of the alert.
    public var alert: String? { shownAlert?.title }

    /// All pages that are shown, or covered by others.
    public var pages: [Page] { (tabStacks + sheetStacks).flatMap { $0 } + [intro].compactMap { $0 } }

    /// A page that is shown, or covered by others.
    public func page(_ id: Page.ID) -> Page? { pages.first { $0.id == id } }

    /// The stack that is seen: that of the topmost sheet, else of the tab.
    private var visibleStack: [Page] {
      sheetStacks.last ?? (tabStacks.indices.contains(selectedTab) ? tabStacks[selectedTab] : [])
    }

    /// Whether there is a stack for the next page, even an empty one.
    var hasStack: Bool { !sheetStacks.isEmpty || tabStacks.indices.contains(selectedTab) }

    /// Puts a page on top of the visible stack; over everything if there is no stack.
    mutating func push(_ page: Page) {
      if !sheetStacks.isEmpty {
        sheetStacks[sheetStacks.count - 1].append(page)
      } else if hasStack {
        tabStacks[selectedTab].append(page)
      } else {
        sheetStacks.append([page])
      }
    }

    /// Changes a page, wherever it is.
    mutating func update(_ id: Page.ID, _ change: (inout Page) -> Void) {
      Self.update(&tabStacks, id, change)
      Self.update(&sheetStacks, id, change)
      if var page = intro, page.id == id {
        change(&page)
        intro = page
      }
    }

    private static func update(_ stacks: inout [[Page]], _ id: Page.ID, _ change: (inout Page) -> Void) {
      for (index, stack) in stacks.enumerated() {
        if let place = stack.firstIndex(where: { $0.id == id }) { change(&stacks[index][place]) }
      }
    }

    /// Takes pages off the screen, and sheets that are empty then.
    mutating func remove(where isGone: (Page) -> Bool) {
      for index in tabStacks.indices { tabStacks[index].removeAll(where: isGone) }
      for index in sheetStacks.indices { sheetStacks[index].removeAll(where: isGone) }
      sheetStacks.removeAll(where: \.isEmpty)
      if let page = intro, isGone(page) { intro = nil }
    }
  }

  /// What is to be closed.
  enum Closing {
    /// The page on top, if there is one below it.
    case top
    /// One page, wherever it is.
    case page(Page.ID)
    /// The topmost sheet.
    case sheet
    /// The intro window.
    case intro
  }
}

extension Presenter.State {
  /// The pages that something to close consists of, the topmost first; empty if there is nothing to close.
  func pages(of closing: Presenter.Closing) -> [Page] {
    switch closing {
    case .top: visibleStack.count > 1 ? visibleStack.suffix(1) : []
    case .sheet: sheetStacks.last.map { $0.reversed() } ?? []
    case .intro: intro.map { [$0] } ?? []
    case .page(let id):
      // The first page of a tab stays, because nothing is below it.
      tabStacks.contains { $0.first?.id == id } ? [] : page(id).map { [$0] } ?? []
    }
  }
}
