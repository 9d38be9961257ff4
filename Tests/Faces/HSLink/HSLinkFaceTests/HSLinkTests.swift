import Dispatch
import HSLinkFace
import HSLinkHostFace
import PluginKit
import Testing

/// What both sides of the video component agree on.
private protocol HSVideoLink {
  func getVideoController() -> Page?
}

/// The host's side: it asks.
private struct HSVideoAsk: HSVideoLink {
  let link: HSLinkClass

  func getVideoController() -> Page? {
    link.callObject(class: "HSVideoSupply", method: "getVideoController").value as? Page
  }
}

/// The component's side: it supplies.
private final class HSVideoSupply: HSVideoLink, Sendable {
  private let context: ModuleContext
  private let count = Counter()

  init(_ context: ModuleContext) { self.context = context }

  func getVideoController() -> Page? { context.page("videos", object: "a list of videos") }
  func itself() -> HSVideoSupply { self }
  func echo(_ param: (any Sendable)?) -> (any Sendable)? { param }
  func count(_ param: (any Sendable)?) -> Int { count.next() }
  func stop() {}
  func seek(_ param: (any Sendable)?) {}
  func play(_ param: (any Sendable)?) -> String {
    let values = param as? [String: any Sendable]
    return "\(values?["title"] ?? "") \(values?["second"] ?? "") \(values?["loops"] ?? "")"
  }
  func fails(_ param: (any Sendable)?) throws -> Int { throw CancellationError() }

  static func version() -> String { "1.0" }
}

private final class Counter: @unchecked Sendable {
  private let queue = DispatchQueue(label: "counter")
  private var value = 0

  func next() -> Int {
    queue.sync {
      value += 1
      return value
    }
  }
}

@Suite("HSLinkClass's rows") struct HSLinkTests {
  private let switchboard = Switchboard()
  private let context: ModuleContext
  private var link: HSLinkClass { HSLinkClass(switchboard) }

  init() throws {
    let methods = [
      "getVideoController", "itself", "echo", "count", "stop", "seek", "play", "fails", "nested", "class.version",
      "class.echo",
    ]
    context = try switchboard.context(
      for: ModuleDeclaration(
        identifier: "com.example.video",
        targets: [
          "HSVideoSupply": Dictionary(uniqueKeysWithValues: methods.map { ($0, false) })
        ]))
  }

  private func load() throws {
    let link = HSLinkClass(context)
    try link.supply("HSVideoSupply", make: { [context] in HSVideoSupply(context) }) { methods in
      methods.add("getVideoController", HSVideoSupply.getVideoController)
      methods.add("itself", HSVideoSupply.itself)
      methods.add("echo:", HSVideoSupply.echo)
      methods.add("count:", HSVideoSupply.count)
      methods.add("stop", HSVideoSupply.stop)
      methods.add("seek:", HSVideoSupply.seek)
      methods.add("play:", HSVideoSupply.play)
      methods.add("fails:", HSVideoSupply.fails)
      methods.add("nested") { _ in
        {
          let answer = link.callObject(class: "HSAbsent", method: "x")
          throw try #require(answer.error)
        }
      }
      methods.addClass("version", HSVideoSupply.version)
      methods.addClass("echo:") { $0 }
    }
  }

  /// A call of a block.
  private struct Told: Equatable {
    var value: String?
    var performSuccess: Bool
    var classIsLoad: Bool

    init(_ value: String?, _ performSuccess: Bool, _ classIsLoad: Bool) {
      self.value = value
      self.performSuccess = performSuccess
      self.classIsLoad = classIsLoad
    }
  }

  private func object(_ name: String, _ method: String, _ param: (any Sendable)? = nil) -> [Told] {
    var told: [Told] = []
    link.callObject(class: name, method: method, param: param) { value, performSuccess, classIsLoad in
      told.append(Told(value.map { "\($0)" }, performSuccess, classIsLoad))
    }
    return told
  }

  private func type(_ name: String, _ method: String, _ param: (any Sendable)? = nil) -> [Told] {
    var told: [Told] = []
    link.callClass(class: name, method: method, param: param) { value, performSuccess, classIsLoad in
      told.append(Told(value.map { "\($0)" }, performSuccess, classIsLoad))
    }
    return told
  }

  @Test(
    "HS1 D37: the block is called once, with the value, whether it was performed, and whether the class is loaded")
  func callObject() throws {
    #expect(object("HSVideoSupply", "echo:", "v") == [Told(nil, false, false)])
    try load()
    #expect(object("HSVideoSupply", "echo:", "v") == [Told("v", true, true)])
    #expect(object("HSVideoSupply", "nothing") == [Told(nil, false, true)])
    #expect(object("HSVideoSupply", "nothing:", "v") == [Told(nil, false, true)])
    #expect(object("HSNothing", "echo:", "v") == [Told(nil, false, false)])
    #expect(object("HSNothing", "nothing") == [Told(nil, false, false)])
    for (name, method, isLoaded) in [
      ("", "echo:", false), ("HSVideoSupply", "", true), ("a b", "echo:", false), ("HSNothing", "a b", false),
      ("HSVideoSupply", "echo::", true), ("HSVideoSupply", "class.echo:", true), ("HSNothing", "class.echo:", false),
    ] {
      let told = object(name, method, "v")
      #expect(told.count == 1, "\(name) \(method)")
      #expect(told.first?.classIsLoad == isLoaded, "\(name) \(method)")
    }
    // A method that fails was found in a class that is loaded, whatever it failed of.
    #expect(object("HSVideoSupply", "fails:", "v") == [Told(nil, false, true)])
    #expect(object("HSVideoSupply", "nested") == [Told(nil, false, true)])
    #expect(link.callObject(class: "HSVideoSupply", method: "nested").error?.object == "HSAbsent")
  }

  @Test("a component cannot pass for the host by the input of another call as its value")
  func sender() async throws {
    try switchboard.targets.register("Bank", owner: .host, make: { true }) { actions in
      actions.add("pay") { _, input in "\(input["sum"] ?? "nothing") from \(input.sender)" }
      actions.add("later", task: { _, input in "\(input["sum"] ?? "nothing") from \(input.sender)" })
      actions.addOnMain("shows") { _, input in "\(input["sum"] ?? "nothing") from \(input.sender)" }
    }
    // An input that nobody has called with yet says that it is the host's.
    let input: ActionInput = ["sum": 7]
    #expect(input.sender == .host)
    let own = HSLinkClass(context)
    for method in ["pay", "later", "shows"] {
      let answer = await own.callObject(class: "Bank", method: method, param: input)
      #expect(answer.value as? String == "7 from com.example.video", "\(method)")
    }
    func sync(_ link: HSLinkClass) -> String? {
      link.callObject(class: "Bank", method: "pay", param: input).value as? String
    }
    #expect(sync(own) == "7 from com.example.video" && sync(link) == "7 from host")
  }

  @Test("HS1: each call makes a new object, even if somebody caches one, and a value is optional")
  func newObject() throws {
    try load()
    func itself() -> HSVideoSupply? {
      link.callObject(class: "HSVideoSupply", method: "itself").value as? HSVideoSupply
    }
    let first = try #require(itself())
    #expect(itself() !== first)
    #expect(object("HSVideoSupply", "count:") == [Told("1", true, true)])
    #expect(object("HSVideoSupply", "count:") == [Told("1", true, true)])
    let kept = try switchboard.targets.perform("itself", on: "HSVideoSupply", value: 0, keepsTarget: true)
    #expect(itself() !== kept as? HSVideoSupply)
    // Without a value, a method that takes one gets none; a method that takes none ignores it.
    #expect(object("HSVideoSupply", "echo:") == [Told(nil, true, true)])
    #expect(object("HSVideoSupply", "stop", "v") == [Told(nil, true, true)])
  }

  @Test("HS2: a class's own method is reached by a call of the class, and a method of objects is not")
  func callClass() throws {
    #expect(type("HSVideoSupply", "version") == [Told(nil, false, false)])
    try load()
    #expect(type("HSVideoSupply", "version") == [Told("1.0", true, true)])
    #expect(type("HSVideoSupply", "echo:", 7) == [Told("7", true, true)])
    #expect(type("HSVideoSupply", "getVideoController") == [Told(nil, false, true)])
    #expect(object("HSVideoSupply", "version") == [Told(nil, false, true)])
    #expect(type("HSNothing", "version") == [Told(nil, false, false)])
    // A class without methods of its own is loaded all the same, and so is one without methods of objects.
    try link.supply("HSPlain", make: { 0 }) { $0.add("x") { object in { object } } }
    #expect(type("HSPlain", "x") == [Told(nil, false, true)])
    try link.supply("HSStatic", make: { 0 }) { $0.addClass("x") { 1 } }
    #expect(object("HSStatic", "x") == [Told(nil, false, true)])
    #expect(type("HSStatic", "x") == [Told("1", true, true)])
  }

  @Test("HS3: several values are a dictionary, a result is of any type, and the block may be missing")
  func values() throws {
    try load()
    let values: [String: any Sendable] = ["title": "Heidi", "second": 90, "loops": true]
    #expect(object("HSVideoSupply", "play:", values) == [Told("Heidi 90 true", true, true)])
    let echo =
      link.callObject(class: "HSVideoSupply", method: "echo:", param: values).value as? [String: any Sendable]
    #expect(echo?.count == 3)
    #expect(echo?["second"] as? Int == 90)
    let texts = ["a": "1", "b": "2", "c": "3"]
    #expect(
      link.callObject(class: "HSVideoSupply", method: "echo:", param: texts).value as? [String: String] == texts)
    #expect(link.callObject(class: "HSVideoSupply", method: "count:").value as? Int == 1)
    let list = link.callObject(class: "HSVideoSupply", method: "echo:", param: [1, 2]).value
    #expect(list as? [Int] == [1, 2])
    let answer = link.callObject(class: "HSVideoSupply", method: "seek:", param: 3, block: nil)
    #expect(answer.value == nil)
    #expect(answer.performSuccess && answer.classIsLoad && answer.error == nil)
    link.callClass(class: "HSVideoSupply", method: "version", block: nil)
    // An action that takes values by name gets one value as `value`, and one that takes a type gets it.
    try switchboard.targets.register("Desk", owner: .host, make: { 0 }) { actions in
      actions.add("named") { _, input in "\(input.values) \(input.sender)" }
      actions.add("double", taking: Int.self) { _, number in number * 2 }
      actions.notFound { _, name, input in "\(name) \(input.values)" }
    }
    func desk(_ method: String, _ param: any Sendable) -> HSLinkAnswer {
      HSLinkClass(context).callObject(class: "Desk", method: method, param: param)
    }
    #expect(desk("named:", 7).value as? String == "[\"value\": 7] com.example.video")
    #expect(desk("named:", ["value": 7]).value as? String == "[\"value\": 7] com.example.video")
    #expect(desk("double:", 7).value as? Int == 14)
    #expect(desk("double:", "7").error?.code == .actionType)
    #expect(desk("other:", 7).value as? String == "other [\"value\": 7]")
    #expect(
      link.callObject(class: "HSVideoSupply", method: "echo:", param: ["value": 7]).value as? [String: Int] == [
        "value": 7
      ])
    link.callObject(class: "HSNothing", method: "x", block: nil)
  }

  @Test("HS4: the host asks and the component supplies, by the same protocol")
  func bothSides() throws {
    let video: any HSVideoLink = HSVideoAsk(link: link)
    #expect(video.getVideoController() == nil)
    try load()
    let page = try #require(video.getVideoController())
    #expect(page.title == "videos")
    #expect(page.object as? String == "a list of videos")
    #expect(page.owner == context.owner)
    switchboard.presenter.push(page)
    #expect(switchboard.presenter.state.tabs == [["videos"]])
    // A component asks in its own name.
    try switchboard.targets.register("HSHost", owner: .host, make: { 0 }) {
      $0.add("who") { _, input in "\(input.sender)" }
    }
    #expect(HSLinkClass(context).callObject(class: "HSHost", method: "who").value as? String == "com.example.video")
    #expect(link.callObject(class: "HSHost", method: "who").value as? String == "host")
  }

  @Test("HS5: a component that is removed or refused gives nil, and says that it is not loaded")
  func removed() throws {
    try load()
    let video = HSVideoAsk(link: link)
    #expect(video.getVideoController() != nil)
    switchboard.removeAll(ownedBy: context.owner)
    #expect(video.getVideoController() == nil)
    #expect(object("HSVideoSupply", "getVideoController") == [Told(nil, false, false)])
    #expect(type("HSVideoSupply", "version") == [Told(nil, false, false)])
    switchboard.refuse(targets: ["HSVideoSupply"], of: context.owner, because: "was changed")
    #expect(object("HSVideoSupply", "getVideoController") == [Told(nil, false, false)])
    #expect(type("HSVideoSupply", "version") == [Told(nil, false, false)])
    #expect(link.callObject(class: "HSVideoSupply", method: "x").error?.code == .targetModuleRefused)
  }

  @Test("a component supplies only what its description declares, once, and no name twice")
  func supplying() throws {
    try load()
    func supply(_ name: String, _ methods: [String], _ classMethods: [String] = []) throws {
      try HSLinkClass(context).supply(name, make: { 0 }) { added in
        for method in methods { added.add(method) { object in { object } } }
        for method in classMethods { added.addClass(method) { 1 } }
      }
    }
    func code(_ body: () throws -> Void) -> PluginError.Code? {
      do { try body() } catch { return (error as? PluginError)?.code }
      return nil
    }
    #expect(code { try supply("HSBank", ["pay"]) } == .targetUndeclared)
    #expect(code { try supply("HSBank", [], ["pay"]) } == .targetUndeclared)
    #expect(code { try supply("HSVideoSupply", ["getVideoController"]) } == .targetConflict)
    #expect(code { try supply("HSOther", ["x", "x:"]) } == .targetConflict)
    #expect(code { try supply("HSOther", [], ["x", "x:"]) } == .targetConflict)
    #expect(code { try supply("HSOther", ["class.x"]) } == .targetName)
    #expect(code { try supply("a b", ["x"]) } == .targetUndeclared)
    #expect(code { try HSLinkClass(switchboard).supply("a b", make: { 0 }) { _ in } } == .targetName)
    switchboard.removeAll(ownedBy: context.owner)
    #expect(code { try supply("HSVideoSupply", ["getVideoController"]) } == .moduleRemoved)
  }

  @Test("D37: the link of the host is shared, and finds nothing before it knows the host")
  func shared() throws {
    #expect(HSLinkClass.shareObject() === HSLinkClass.shareObject())
    let before = HSLinkClass.shareObject().callObject(class: "HSVideoSupply", method: "itself")
    #expect(before.error?.code == .targetNotFound)
    #expect(!before.classIsLoad)
    HSLinkClass.use(switchboard)
    defer { HSLinkClass.use(nil) }
    try load()
    #expect(HSLinkClass.shareObject().callObject(class: "HSVideoSupply", method: "itself").performSuccess)
  }

  @Test("HS1 HS2: a task gets the same answers")
  func tasks() async throws {
    try load()
    let answer = await link.callObject(class: "HSVideoSupply", method: "echo:", param: "v")
    #expect(answer.value as? String == "v")
    #expect(await link.callClass(class: "HSVideoSupply", method: "version").value as? String == "1.0")
    let none = await link.callObject(class: "HSVideoSupply", method: "nothing")
    #expect(!none.performSuccess && none.classIsLoad)
    let absent = await link.callClass(class: "HSNothing", method: "x")
    #expect(!absent.performSuccess && !absent.classIsLoad)
  }
}
