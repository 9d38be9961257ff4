import CTMediatorFace
import PluginKit
import Testing

/// What CTMediator's README shows: a module that no caller depends on, and a category that its callers depend on. The demo's
/// module has a detail page, an alert with two blocks, and cells of a table.
@Suite("CTMediator's README") struct CTReadmeTests {
  private let presenter: Presenter
  private let switchboard: Switchboard
  private let module: ModuleContext
  private var mediator: CTMediator { CT(switchboard) }

  init() throws {
    presenter = Presenter(tabs: 1)
    switchboard = Switchboard(presenter: presenter)
    module = try switchboard.context(
      for: ModuleDeclaration(
        identifier: "com.example.a",
        targets: [
          "A": [
            "nativeFetchDetailViewController": true, "nativePresentImage": true, "nativeNoImage": true,
            "showAlert": false, "cell": false, "configCell": false,
          ]
        ]))
  }

  private func load() throws {
    try CT(module).register("A", make: { [module] in TargetA(module) }) { actions in
      actions.add("Action_nativeFetchDetailViewController:", TargetA.detail)
      actions.add("Action_nativePresentImage:", TargetA.presentImage)
      actions.add("Action_nativeNoImage:", TargetA.noImage)
      actions.add("Action_showAlert:", TargetA.showAlert)
      actions.add("Action_cell:", TargetA.cell)
      actions.add("Action_configCell:", TargetA.configCell)
    }
  }

  @Test("CT11: the detail page comes from the module, or is an empty one")
  func detail() throws {
    #expect(mediator.detailViewController().title == "")
    try load()
    let page = mediator.detailViewController()
    #expect(page.title == "value")
    #expect(page.owner == module.owner)
    // Whoever got it decides whether to push or to present it.
    mediator.pushViewController(page)
    #expect(presenter.state.tabs == [["value"]])
    switchboard.removeAll(ownedBy: module.owner)
    #expect(mediator.detailViewController().title == "")
    #expect(presenter.state.tabs == [[]])
  }

  @Test("CT11: an image is presented, and a missing image has an action of its own")
  func images() throws {
    try load()
    mediator.presentImage("image.png")
    #expect(presenter.state.sheets == [["this is image.png"]])
    mediator.presentImage(nil)
    #expect(presenter.state.sheets == [["this is image.png"], ["no image: noImage.png"]])
    // No URL presents one.
    #expect(mediator.performAction(withUrl: "aaa://A/nativePresentImage?image=x") as? Bool == false)
    #expect(presenter.state.sheets.count == 2)
  }

  @Test("CT1 CT11: an alert calls the block of its choice", arguments: [(0, "cancelled"), (1, "confirmed")])
  func alert(_ choice: Int, _ expected: String) throws {
    try load()
    let heard = Heard()
    mediator.showAlert(
      message: "casa", cancel: { heard.add("cancelled \($0["alertAction"] ?? "")") },
      confirm: { heard.add("confirmed \($0["alertAction"] ?? "")") })
    #expect(presenter.state.shownAlert?.title == "alert from Module A")
    #expect(presenter.state.shownAlert?.message == "casa")
    presenter.choose(choice)
    #expect(heard.all == ["\(expected) \(choice)"])
  }

  @Test("CT7: the demo's URL shows the alert, without blocks")
  func remote() throws {
    try load()
    mediator.performAction(withUrl: "aaa://A/showAlert?message=from%20afar") { #expect($0 == nil) }
    #expect(presenter.state.shownAlert?.message == "from afar")
    presenter.choose(1)
  }

  @Test("CT3: cells come from one cached target until the table is gone")
  func cells() throws {
    try load()
    let cells = (0..<3).map { _ in mediator.cell(identifier: "cell") }
    #expect(cells.map { $0?.number } == [1, 2, 3])
    let cell = try #require(cells[0])
    mediator.config(cell, title: "row", row: 7)
    #expect(cell.text == "row,7")
    mediator.cleanCellTarget()
    #expect(mediator.cell(identifier: "cell")?.number == 1)
    switchboard.removeAll(ownedBy: module.owner)
    #expect(mediator.cell(identifier: "cell") == nil)
  }
}

/// A cell of a table, with what it shows.
private final class Cell: Sendable {
  let number: Int
  private let shown = Heard()

  init(_ number: Int) { self.number = number }

  var text: String { shown.all.last ?? "" }
  func show(_ text: String) { shown.add(text) }
}

/// The module's target.
private final class TargetA: Sendable {
  private let context: ModuleContext
  private let made = Heard()

  init(_ context: ModuleContext) { self.context = context }

  func detail(_ params: CTParams) -> Page { context.page(params["key"] as? String ?? "") }

  func presentImage(_ params: CTParams) {
    CT(context).presentViewController(context.page("this is \(params["image"] ?? "")"))
  }

  func noImage(_ params: CTParams) {
    CT(context).presentViewController(context.page("no image: \(params["image"] ?? "")"))
  }

  func showAlert(_ params: CTParams) {
    let alert = Alert(
      "alert from Module A", message: params["message"] as? String, cancel: "cancel", choices: ["confirm"])
    context.presenter.alert(alert) { index in
      let block = params[index == 0 ? "cancelAction" : "confirmAction"] as? @Sendable (CTParams) -> Void
      block?(["alertAction": index])
    }
  }

  func cell(_ params: CTParams) -> Cell? {
    guard params["identifier"] as? String == "cell" else { return nil }
    made.add("cell")
    return Cell(made.all.count)
  }

  func configCell(_ params: CTParams) {
    (params["cell"] as? Cell)?.show("\(params["title"] ?? ""),\(params["row"] ?? "")")
  }
}

/// The category that callers use.
extension CTMediator {
  fileprivate func detailViewController() -> Page {
    performTarget("A", action: "nativeFetchDetailViewController", params: ["key": "value"]) as? Page ?? Page("")
  }

  fileprivate func presentImage(_ image: String?) {
    if let image {
      performTarget("A", action: "nativePresentImage", params: ["image": image])
    } else {
      performTarget("A", action: "nativeNoImage", params: ["image": "noImage.png"])
    }
  }

  fileprivate func showAlert(
    message: String, cancel: @escaping @Sendable (CTParams) -> Void, confirm: @escaping @Sendable (CTParams) -> Void
  ) {
    performTarget(
      "A", action: "showAlert", params: ["message": message, "cancelAction": cancel, "confirmAction": confirm])
  }

  fileprivate func cell(identifier: String) -> Cell? {
    performTarget("A", action: "cell", params: ["identifier": identifier], shouldCacheTarget: true) as? Cell
  }

  fileprivate func config(_ cell: Cell, title: String, row: Int) {
    performTarget(
      "A", action: "configCell", params: ["cell": cell, "title": title, "row": row], shouldCacheTarget: true)
  }

  fileprivate func cleanCellTarget() { releaseCachedTarget(withFullTargetName: "Target_A") }
}
