public import PluginHost
public import PluginKit
internal import Signet
internal import SignetSystem

/// The controller of a page of the web: the object of its page, and what its web view talks to.
///
/// It is a model without a screen. The page that it controls is hostile: what it says is limited, reaches only methods
/// that are registered for pages, and loads only files of its module.
public final class SMWebController: Sendable {
  /// The module of the page; nil for a page that no module has.
  public let module: SMWebModule?
  /// The URL with which the page begins.
  public let url: String
  /// The host.
  public let host: PluginHost
  /// What the page reaches of its host.
  public var bridge: SMWebBridge { SMWebBridge(controller: self) }

  /// What acts in the name of the page's module; nil for a page that no module has.
  let context: ModuleContext?
  let configuration: SMWebBundleLauncher.Configuration
  let state = Monitor(State())

  struct State {
    var view: (any SMWebView)?
    var delegate: SMWebDelegate?
    /// The page as it was shown last.
    var page: Page.ID?
    /// Whether the page was closed since then.
    var wasClosed = false
    var title = ""
    var barItems: [BarItem] = []
    /// The number of the document. What belongs to an earlier one is of no use any more.
    var document = 0
    var isLoaded = false
    /// The calls of the document that have no answer.
    var calls = Set<Int>()
    /// How many calls have no answer, those of earlier documents among them.
    var unanswered = 0
    var closing = SMWebClosing.open
    /// The number of the last question whether the page may be closed.
    var questions = 0
  }

  init(
    _ module: SMWebModule?, _ url: String, of host: PluginHost, _ configuration: SMWebBundleLauncher.Configuration
  ) throws(PluginError) {
    self.module = module
    self.url = url
    self.host = host
    self.configuration = configuration
    // It can register nothing. Once the module is removed, it can do nothing else either.
    context =
      try module.map { (module) throws(PluginError) in
        host.switchboard.context(for: try ModuleDeclaration(identifier: "\(module.release.module.identifier)"))
      }
  }

  /// The title of the page; empty until the page has one.
  public var title: String { state.withLock { $0.title } }
  /// The items that the page has in the navigation bar.
  public var barItems: [BarItem] { state.withLock { $0.barItems } }
  /// The view of the page, or nil.
  public var view: (any SMWebView)? { state.withLock { $0.view } }

  /// The URL, for messages.
  var shown: String { PluginURL.shown(url) }
  /// Whether the page's module is not loaded any more.
  private var isModuleGone: Bool { module.map { host.loaded($0.release.module.identifier) == nil } ?? false }
  /// Whether the page was closed, or its module is not loaded any more.
  var isGone: Bool { isModuleGone || state.withLock { $0.wasClosed } }
  private var presenter: Presenter { host.switchboard.presenter }

  /// Gives the page a view, which begins to load.
  func use(_ view: any SMWebView) {
    state.withLock { $0.view = view }
    view.load(url)
  }

  /// A page with this controller.
  func page(_ delegate: SMWebDelegate?) -> Page {
    let (title, items) = state.withLock { state in
      state.delegate = delegate
      return (state.title, state.barItems)
    }
    let page =
      context?.page(title, object: self, barItems: items) ?? Page(title, object: self, barItems: items)
    state.withLock { $0.page = page.id }
    return page
  }

  // MARK: Calls of the page

  func open(
    _ url: String, _ userInfo: [String: any Sendable], completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    if let context {
      context.open(url, userInfo: userInfo, limit: SMWebBridge.limit, completion: completion)
    } else {
      host.switchboard.router.open(url, userInfo: userInfo, limit: SMWebBridge.limit, completion: completion)
    }
  }

  /// Whether the page is what a user sees, with nothing over it.
  var isOnTop: Bool {
    guard let page = state.withLock({ $0.page }) else { return false }
    let screen = presenter.state
    return (screen.intro ?? screen.topPage)?.id == page
  }

  /// Shows an alert of the page. A page that is not on top, or would cover the alert of another owner, is answered
  /// with 0.
  func show(_ alert: Alert, _ answer: @escaping @Sendable (Int) -> Void) {
    let isFree = presenter.state.shownAlert.map { $0.owner == context?.owner } ?? true
    guard isOnTop, isFree else { return answer(0) }
    if let context {
      if !context.presenter.alert(alert, onChoice: answer) { answer(0) }
    } else {
      presenter.alert(alert, onChoice: answer)
    }
  }

  /// Closes the page with its result, after its delegate has heard of it.
  ///
  /// - Returns: false if the page is not shown, or is the first of a tab.
  func pop(_ result: String?) -> Bool {
    let screen = presenter.state
    let (page, delegate) = state.withLock { state -> (Page.ID?, SMWebDelegate?) in
      guard let page = state.page, state.closing != .agreed, screen.page(page) != nil,
        !screen.tabStacks.contains(where: { $0.first?.id == page })
      else { return (nil, nil) }
      state.closing = .agreed
      return (page, state.delegate)
    }
    guard let page else { return false }
    delegate?.controller(in: host)?.webViewControllerDidPop(withWebResult: result)
    let isClosed = context?.presenter.close(page, result: result) ?? presenter.close(page, result: result)
    if !isClosed { state.withLock { $0.closing = .open } }
    return isClosed
  }

  // MARK: What the page looks like

  /// Takes what the document says about itself.
  func describe(_ title: String, _ metas: [String: String]) {
    let items = SMBarItemParser.items(metas)
    // The item in the center is the title of the page.
    let center = items.first { $0.place == .center }?.title
    let page = state.withLock { state in
      state.title = center ?? title
      state.barItems = items
      return state.page
    }
    if let page { update(page) }
  }

  private func update(_ page: Page.ID) {
    let (title, items) = state.withLock { ($0.title, $0.barItems) }
    if let context {
      context.presenter.update(page, title: title, barItems: items)
    } else {
      presenter.update(page, title: title, barItems: items)
    }
  }
}

// MARK: - What happens to the page

extension SMWebController: PageController {
  /// Shows what the document has said meanwhile.
  public func didShow(_ page: Page) {
    state.withLock { state in
      state.page = page.id
      state.wasClosed = false
      state.closing = .open
    }
    update(page.id)
  }

  /// Asks the page's script, which may refuse: `onbeforeclose` has a question for the user, and `onclose` the result.
  /// Meanwhile the page stays, and closes itself with the answer. A script that gives no answer in time does not keep the
  /// page.
  public func mayClose(_ page: Page, result: (any Sendable)?) -> Bool {
    let (view, question) = state.withLock { state -> ((any SMWebView)?, Int?) in
      guard state.isLoaded, let view = state.view, state.closing != .agreed else { return (nil, nil) }
      guard state.closing == .open else { return (view, nil) }
      state.closing = .asked
      state.questions += 1
      return (view, state.questions)
    }
    guard let view else { return true }
    guard let question else { return false }
    ask(view, question, isAgreed: false)
    return false
  }

  private func ask(_ view: any SMWebView, _ number: Int, isAgreed: Bool) {
    view.evaluate(SMWebScript.closing(isAgreed: isAgreed)) { [weak self] text in
      self?.heard(SMWebClosing.Answer(text), to: number)
    }
    Task { [weak self, limit = configuration.closeLimit] in
      try? await Task.sleep(for: limit)
      self?.heard(SMWebClosing.Answer(nil), to: number)
    }
  }

  private func heard(_ answer: SMWebClosing.Answer, to number: Int) {
    let isFirst = state.withLock { state in
      guard state.closing == .asked, state.questions == number else { return false }
      if answer.question == nil {
        state.closing = .open
      } else {
        // The limit of the script is not one for the user.
        state.questions += 1
      }
      return true
    }
    guard isFirst else { return }
    guard let question = answer.question else {
      if !answer.stays { _ = pop(answer.result) }
      return
    }
    show(Alert(question, choices: ["OK"])) { [weak self] index in self?.goOn(number + 1, isAgreed: index == 1) }
  }

  /// Goes on when the user has answered the page's question.
  private func goOn(_ number: Int, isAgreed: Bool) {
    let view = state.withLock { state -> (any SMWebView)? in
      guard state.closing == .asked, state.questions == number else { return nil }
      if !isAgreed { state.closing = .open }
      return isAgreed ? state.view : nil
    }
    if let view { ask(view, number, isAgreed: true) }
  }

  /// Forgets the calls that have no answer.
  public func didClose(_ page: Page, _ closing: PageClosing) {
    state.withLock { state in
      state.wasClosed = true
      state.closing = .open
      state.document += 1
      state.calls = []
    }
  }

  /// Runs the script that the page has for the item.
  public func didTap(_ item: BarItem, on page: Page) {
    guard let script = item.action, !script.isEmpty, !isGone else { return }
    view?.evaluate(script) { _ in }
  }
}

/// How far closing a page is.
enum SMWebClosing: Sendable {
  /// Nobody wants to.
  case open
  /// The page's script was asked.
  case asked
  /// The script agrees, or wants it itself.
  case agreed

  /// What a page's script answers.
  struct Answer {
    /// What the user has to agree to first; nil if there is nothing.
    let question: String?
    let stays: Bool
    let result: String?

    /// - Parameter text: the text; nil if there was none in time.
    init(_ text: String?) {
      let answer = text.flatMap { try? SMWebValue(json: $0, limits: SMWebMessage.limits) }?.object
      // A question that is too long to show is not asked.
      question = answer?["question"]?.text.flatMap { $0.utf8.count <= SMWebBridge.alertLimits.text ? $0 : nil }
      stays = answer?["stays"]?.bool ?? false
      result = answer?["result"]?.text
    }
  }
}

/// A controller that opened a page. It is told nothing once its module is removed.
struct SMWebDelegate: Sendable {
  private let owner: ModuleOwner
  private let reference: Reference

  private final class Reference: Sendable {
    weak let object: (any SMWebControllerDelegate)?
    init(_ object: any SMWebControllerDelegate) { self.object = object }
  }

  /// - Returns: nil if what opened the page wants to hear nothing of it.
  init?(_ sender: SMSender) {
    let object = (sender.object as? Page)?.object ?? sender.object
    guard let object = object as? any SMWebControllerDelegate else { return nil }
    owner = sender.owner
    reference = Reference(object)
  }

  func controller(in host: PluginHost) -> (any SMWebControllerDelegate)? {
    let isThere = owner.identifier.map { name in ModuleIdentifier(name).flatMap { host.loaded($0) } != nil } ?? true
    guard isThere else { return nil }
    return reference.object
  }
}
