import PluginKit
import Testing

/// A page's object that says what it is told to, and notes what it hears.
private final class Controller: PageController {
  private let heard: Heard
  private let refuses: Bool

  init(_ heard: Heard, refuses: Bool = false) {
    self.heard = heard
    self.refuses = refuses
  }

  func mayClose(_ page: Page, result: (any Sendable)?) -> Bool {
    heard.add("\(page.title)? \(result ?? "-")")
    return !refuses
  }

  func didClose(_ page: Page, _ closing: PageClosing) { heard.add("\(page.title) \(word(closing))") }

  func didTap(_ item: BarItem, on page: Page) { heard.add("\(page.title) \(item.action ?? "-")") }
}

private func word(_ closing: PageClosing) -> String {
  switch closing {
  case .closed(let result): "closed \(result ?? "-")"
  case .removed: "removed"
  }
}

private struct Presenting: SelfPresentingPage {
  let answer: Bool
  let heard: Heard

  func presentSelf(_ page: Page) -> Bool {
    heard.add("\(page.title) presents itself")
    return answer
  }
}

@Suite("Pages, alerts and the intro window") struct PageStackTests {
  private let presenter = Presenter()
  private let heard = Heard()

  @Test("a page gives its result to whoever showed it, once, and the state is told first")
  func results() {
    presenter.onChange { [heard] in heard.add("top \($0.top ?? "-")") }
    presenter.push("root")
    let page = Page("a", object: Controller(heard))
    let isShown = presenter.push(page) { [heard] in heard.add("shown: \(word($0)) \($0.result as? Int ?? 0)") }
    #expect(isShown)
    #expect(!presenter.push(page), "one page is not on two places")
    #expect(presenter.pop(result: 7))
    #expect(heard.all == ["top root", "top a", "a? 7", "top root", "a closed 7", "shown: closed 7 7"])
    #expect(!presenter.pop(result: 8) && !presenter.close(page.id))
    // A page that was closed can be shown again.
    #expect(presenter.push(page) && presenter.close(page.id))
  }

  @Test("a page may refuse to close, wherever it is, and then everything stays")
  func refusing() {
    presenter.push("root")
    let stubborn = Page("stubborn", object: Controller(heard, refuses: true))
    presenter.push(stubborn)
    #expect(!presenter.pop(result: "r") && !presenter.close(stubborn.id))
    #expect(presenter.state.top == "stubborn" && heard.all == ["stubborn? r", "stubborn? -"])
    let sheet = Page("sheet", object: Controller(heard, refuses: true))
    presenter.present(sheet)
    presenter.push(Page("over", object: Controller(heard)))
    #expect(!presenter.dismiss(result: "s"))
    #expect(presenter.state.sheets == [["sheet", "over"]])
    #expect(heard.all.suffix(2) == ["over? s", "sheet? -"])
    #expect(presenter.pop() && !presenter.dismiss())
    presenter.open(Page("intro", object: Controller(heard, refuses: true)), isFullScreen: true)
    #expect(!presenter.closeIntro() && presenter.state.intro != nil)
  }

  @Test("a page closes itself, also below others; the first of a tab stays")
  func closing() {
    let (root, middle, sheet) = (Page("root"), Page("middle"), Page("sheet"))
    for page in [root, middle] { presenter.push(page) }
    presenter.push("top")
    presenter.present(sheet)
    #expect(presenter.close(middle.id, result: 1))
    #expect(presenter.state.tabs == [["root", "top"]])
    #expect(!presenter.close(root.id) && presenter.close(sheet.id))
    #expect(presenter.state.sheets.isEmpty)
  }

  @Test("a page that is asked whether it may close may change what is shown")
  func changing() {
    final class Nosy: PageController {
      let presenter: Presenter
      init(_ presenter: Presenter) { self.presenter = presenter }
      func mayClose(_ page: Page, result: (any Sendable)?) -> Bool {
        // Something comes on top the first time.
        if presenter.state.top == page.title { presenter.push("late") }
        return true
      }
    }
    presenter.push("root")
    presenter.push(Page("nosy", object: Nosy(presenter)))
    #expect(presenter.pop())
    #expect(presenter.state.tabs == [["root", "nosy"]], "what came meanwhile is on top, and goes")
  }

  @Test("a page's object hears when its page is on the screen, each time, and can change the page by then")
  func shown() {
    final class Late: PageController {
      let presenter: Presenter
      let heard: Heard
      init(_ presenter: Presenter, _ heard: Heard) {
        self.presenter = presenter
        self.heard = heard
      }
      func didShow(_ page: Page) {
        heard.add("\(page.title) shown")
        presenter.update(page.id, title: "now")
      }
    }
    let page = Page("late", object: Late(presenter, heard))
    presenter.push("root")
    #expect(presenter.push(page))
    #expect(presenter.state.tabs == [["root", "now"]])
    // It is there already.
    #expect(!presenter.push(page) && !presenter.present(page))
    #expect(presenter.pop())
    #expect(presenter.open(page, isFullScreen: true) == .intro)
    #expect(presenter.state.intro?.title == "now")
    #expect(presenter.closeIntro())
    #expect(presenter.present(page))
    #expect(heard.all == ["late shown", "late shown", "late shown"])
  }

  @Test("an alert is answered once: 0 for no answer, else the index of the choice")
  func choices() async {
    let alert = Alert("sure?", message: "It cannot be undone.", cancel: "No", choices: ["Yes", "Always"])
    func show() { presenter.alert(alert) { [heard] in heard.add("\($0)") } }
    show()
    #expect(presenter.state.shownAlert == alert && presenter.state.alert == "sure?")
    #expect(!presenter.choose(3) && !presenter.choose(-1) && presenter.choose(2) && !presenter.choose(1))
    show()
    #expect(presenter.choose(1))
    show()
    #expect(presenter.dismiss())
    // Whatever takes its place gives no answer.
    show()
    show()
    presenter.push("a")
    show()
    presenter.present("b")
    #expect(heard.all == ["2", "1", "0", "0", "0", "0"] && presenter.state.alert == nil)
    let answer = Task { [presenter] in await presenter.ask(alert) }
    while presenter.state.shownAlert == nil { await Task.yield() }
    presenter.choose(2)
    #expect(await answer.value == 2)
  }

  @Test(
    "an intro is in a window of its own; the next page hides it and is pushed; without a stack it is presented")
  func intro() {
    let intro = Page("intro")
    let presentation = presenter.open(intro, isFullScreen: true) { [heard] in heard.add(word($0)) }
    #expect(presentation == .intro)
    #expect(presenter.state.intro == intro && presenter.state.tabs == [[]])
    #expect(presenter.open(Page("next")) == .push(previousHidden: true))
    #expect(presenter.state.intro == nil && presenter.state.tabs == [["next"]] && heard.all == ["closed -"])
    #expect(presenter.open(Page("last")) == .push(previousHidden: false))
    let bare = Presenter(tabs: 0)
    #expect(bare.open(Page("a")) == .present)
    #expect(bare.state.sheets == [["a"]] && bare.state.tabs.isEmpty && bare.state.top == "a")
    #expect(!bare.select(tab: 0))
    // Over the sheet there is a stack.
    #expect(bare.open(Page("b")) == .push(previousHidden: false))
    let page = Page("c")
    #expect(bare.open(page, isFullScreen: true) == .intro && bare.open(page) == nil)
    #expect(bare.closeIntro() && bare.state.intro == nil)
  }

  @Test("a page that presents itself says whether it could")
  func presentingItself() {
    #expect(presenter.show(Page("yes", object: Presenting(answer: true, heard: heard))))
    #expect(!presenter.show(Page("no", object: Presenting(answer: false, heard: heard))))
    #expect(presenter.state.pages.isEmpty && heard.all == ["yes presents itself", "no presents itself"])
    #expect(presenter.show(Page("other", object: "a text")) && presenter.state.top == "other")
  }

  @Test("items of the bar are part of the page, and a tap reaches its object")
  func bar() {
    let share = BarItem(.right, kind: "share", action: "rightBar()")
    let page = Page("a", object: Controller(heard), barItems: [share])
    presenter.push(page)
    #expect(presenter.tap(share, on: page.id))
    let center = BarItem(.center, title: "Hi")
    #expect(presenter.update(page.id, title: "b", barItems: [center]))
    #expect(presenter.state.topPage?.barItems == [center] && presenter.state.top == "b")
    #expect(!presenter.tap(share, on: page.id))
    let plain = Page("plain", barItems: [share])
    presenter.push(plain)
    #expect(!presenter.tap(share, on: plain.id))
    #expect(heard.all == ["a rightBar()"])
    presenter.close(plain.id)
    #expect(!presenter.update(plain.id, title: "gone"))
  }
}

@Suite("Pages of modules") struct ModulePageStackTests {
  private let switchboard = Switchboard()
  private let heard = Heard()

  private func module(_ name: String) throws -> ModuleContext {
    switchboard.context(for: try ModuleDeclaration(identifier: "com.example.\(name)"))
  }

  @Test("pages of a module that is removed disappear, in whichever stack, and others stay")
  func removed() async throws {
    let (one, other) = (try module("one"), try module("other"))
    let presenter = switchboard.presenter
    presenter.push("root")
    one.presenter.push(Page("one", object: Controller(heard, refuses: true)))
    other.presenter.push(Page("other")) { [heard] in heard.add("other: \(word($0))") }
    // Whoever shows it, it is the page of the module that made it.
    other.presenter.present(one.page("given")) { [heard] in heard.add("given: \(word($0))") }
    one.presenter.push(other.page("borrowed")) { [heard] in heard.add("borrowed: \(word($0))") }
    one.presenter.open(Page("intro"), isFullScreen: true)
    let answer = Task { [presenter = one.presenter] in await presenter.ask(Alert("sure?", choices: ["yes"])) }
    while presenter.state.shownAlert == nil { await Task.yield() }
    #expect(
      presenter.state.pages.map { "\($0.title) \($0.owner)" }.sorted() == [
        "borrowed com.example.other", "given com.example.one", "intro com.example.one", "one com.example.one",
        "other com.example.other", "root host",
      ])
    presenter.onChange { [heard] in heard.add("\($0.tabs) \($0.sheets)") }
    switchboard.removeAll(ownedBy: one.owner)
    #expect(presenter.state.intro == nil && presenter.state.shownAlert == nil)
    #expect(await answer.value == 0)
    #expect(heard.all.first == "[[\"root\", \"other\"]] [[\"borrowed\"]]", "a page that is removed is not asked")
    #expect(heard.all.dropFirst().sorted() == ["borrowed: removed", "given: removed", "one removed"])
    // The page stays, but who showed it is not told again.
    #expect(presenter.dismiss() && heard.all.last == "[[\"root\", \"other\"]] []")
    #expect(await one.presenter.ask(Alert("late")) == 0)
    #expect(!one.presenter.alert(Alert("late")) && presenter.state.alert == nil)
  }

  @Test("a module closes and changes only pages that it has or shows")
  func rights() throws {
    let (one, other) = (try module("one"), try module("other"))
    let (first, own, shown) = (Page("first"), Page("own"), other.page("shown"))
    switchboard.presenter.push(first)
    one.presenter.push(own)
    one.presenter.push(shown)
    let hosts = Page("host")
    switchboard.presenter.push(hosts)
    #expect(!one.presenter.close(hosts.id) && !one.presenter.update(hosts.id, title: "x"))
    #expect(!other.presenter.close(own.id) && !other.presenter.update(own.id, title: "x"))
    #expect(other.presenter.update(shown.id, title: "changed") && one.presenter.update(shown.id, barItems: []))
    #expect(one.presenter.state.tabs == [["first", "own", "changed", "host"]])
    #expect(one.presenter.close(shown.id) && one.presenter.close(own.id))
    // Pop and dismiss are for whatever is on top, as a back button is.
    #expect(one.presenter.pop())
    #expect(one.presenter.state.tabs == [["first"]])
  }
}
