import CTMediatorFace
import PluginKit
import Testing

@Suite("CTMediator's rows: screens") struct CTHandyToolsTests {
  @Test("CT12: a push goes to the selected tab's stack, or to that of what was presented last")
  func push() {
    let presenter = Presenter(tabs: 3)
    let mediator = CT(Switchboard(presenter: presenter))
    #expect(mediator.topViewController() == nil)
    presenter.select(tab: 1)
    let first = Page("first")
    #expect(mediator.pushViewController(first, animated: true))
    #expect(mediator.pushViewController(Page("second"), animated: false))
    #expect(presenter.state.tabs == [[], ["first", "second"], []])
    #expect(mediator.topViewController()?.title == "second")
    presenter.select(tab: 2)
    #expect(mediator.pushViewController(Page("third")))
    #expect(presenter.state.tabs == [[], ["first", "second"], ["third"]])
    #expect(!mediator.pushViewController(first))
    mediator.presentViewController(Page("sheet"))
    #expect(mediator.pushViewController(Page("on the sheet")))
    #expect(presenter.state.tabs == [[], ["first", "second"], ["third"]])
    #expect(presenter.state.sheets == [["sheet", "on the sheet"]])
    #expect(mediator.topViewController()?.title == "on the sheet")
  }

  @Test("CT12: what is presented over an alert dismisses the alert first, and the completion is called")
  func present() {
    let presenter = Presenter(tabs: 1)
    let mediator = CT(Switchboard(presenter: presenter))
    let (choices, done) = (Heard(), Heard())
    mediator.pushViewController(Page("root"))
    presenter.alert(Alert("Sure?", choices: ["yes"])) { choices.add("\($0)") }
    #expect(presenter.state.alert == "Sure?")
    let sheet = Page("sheet")
    #expect(mediator.presentViewController(sheet, animated: true) { done.add("presented") })
    #expect(presenter.state.alert == nil)
    #expect(presenter.state.sheets == [["sheet"]])
    #expect(choices.all == ["0"])
    #expect(done.all == ["presented"])
    #expect(!mediator.presentViewController(sheet) { done.add("again") })
    #expect(done.all == ["presented"])
    // So does a push.
    presenter.alert("Once more")
    #expect(mediator.pushViewController(Page("next")))
    #expect(presenter.state.alert == nil)
    #expect(presenter.state.sheets == [["sheet", "next"]])
  }

  @Test("CT12: the intro window is the top, and a page without a stack is laid over everything")
  func others() {
    let presenter = Presenter(tabs: 0)
    let mediator = CT(Switchboard(presenter: presenter))
    #expect(mediator.pushViewController(Page("alone")))
    #expect(presenter.state.sheets == [["alone"]])
    presenter.open(Page("intro"), isFullScreen: true)
    #expect(mediator.topViewController()?.title == "intro")
  }

  @Test("CT12: what a module shows disappears with it, and it shows nothing more")
  func module() throws {
    let presenter = Presenter(tabs: 1)
    let switchboard = Switchboard(presenter: presenter)
    let context = try switchboard.context(for: ModuleDeclaration(identifier: "com.example.m"))
    CT(switchboard).pushViewController(Page("host's"))
    #expect(CT(context).pushViewController(Page("module's")))
    #expect(CT(context).presentViewController(Page("sheet")))
    #expect(CT(context).topViewController()?.title == "sheet")
    switchboard.removeAll(ownedBy: context.owner)
    #expect(presenter.state.tabs == [["host's"]])
    #expect(presenter.state.sheets == [])
    #expect(!CT(context).pushViewController(Page("late")))
    #expect(!CT(context).presentViewController(Page("late")) { Issue.record("it was presented") })
    #expect(presenter.state.tabs == [["host's"]])
  }
}
