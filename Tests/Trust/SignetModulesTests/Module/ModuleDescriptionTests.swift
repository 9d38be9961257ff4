import Foundation
import SignetArchive
import SignetBase
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// What a module may say of itself.
@Suite struct ModuleDescriptionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// `sound`, or the code it is refused with.
    let verdict: String
    let text: String
    var testDescription: String { "\(verdict) \(text.prefix(120))" }
  }

  /// The lines of Tests/Vectors/descriptions/cases.txt; the JSON schema is held against the same (Tests/Interop).
  static let cases: [Case] = {
    let text = (try? Repository.text("Tests/Vectors/descriptions/cases.txt")) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let verdict = parts[0].hasPrefix("schema:") ? String(parts[0].dropFirst(7)) : parts[0]
      return Case(verdict: verdict, text: parts[1])
    }
  }()

  @Test("there are cases of both kinds")
  func bothKinds() {
    #expect(Self.cases.count { $0.verdict == "sound" } > 10)
    #expect(Self.cases.count { $0.verdict != "sound" } > 60)
  }

  @Test("each case is read or refused with its code, and what is read has one canonical text", arguments: cases)
  func verdict(_ each: Case) throws {
    guard each.verdict != "sound" else {
      let description = try ModuleDescription(json: Array(each.text.utf8))
      let text = description.canonicalBytes()
      #expect(text == (try CanonicalJSON.write(description.json)))
      let again = try ModuleDescription(json: text)
      #expect(again == description && again.canonicalBytes() == text)
      #expect(try statement(text) == description)
      return
    }
    expectError(SignetError.Code(each.verdict)) { _ = try ModuleDescription(json: Array(each.text.utf8)) }
  }

  private func statement(_ text: [UInt8]) throws -> ModuleDescription {
    try ModuleDescription(
      JSONObject(JSONReader.read(text, limits: .payload), "predicate.module", unknownField: .statementUnknownField))
  }

  @Test("every field is read as it stands")
  func fields() throws {
    let text = try #require(Self.cases.first { $0.text.contains("player_main") }).text
    let module = try ModuleDescription(json: Array(text.utf8))
    #expect("\(module.identifier) \(module.version) \(module.sequence)" == "com.example.player 1.4.2 37")
    let binary = try #require(module.binaries[.linuxX86])
    #expect(module.binaries.count == 1 && binary.path == "lib/com_example_player.so")
    #expect(binary.needed == ["libc.so.6"] && binary.libraries == ["lib/libogg.so.0"])
    #expect(module.principal == "player_main" && module.routes == ["ui://player/:track"])
    #expect(module.targets.map(\.name) == ["Player"])
    #expect(module.targets[0].actions.map(\.name) == ["play", "reset"])
    #expect(module.targets[0].actions.map(\.isLocal) == [false, true])
    #expect(module.services == ["PlaybackService"] && module.resources == ["images", "help.html"])
    #expect(module.permissions == ["audio"] && module.isEmbedded)
    #expect(module.requirements.host?.description == ">=2.0.0 <3.0.0")
    #expect(module.requirements.modules.map { "\($0.identifier) \($0.versions)" } == ["com.example.codecs >=1.0.0"])
  }

  @Test("pages, boards and the parameters that URLs may set are read, and written in the one order")
  func pages() throws {
    let text = try #require(Self.cases.first { $0.text.contains("Main/MainVC\":[\"tab") }).text
    let module = try ModuleDescription(json: Array(text.utf8))
    #expect(module.pages.names == ["", "Detail", "Settings.v2"])
    #expect(module.pages.boards.map(\.name) == ["A", "Main"])
    #expect(module.pages.boards.map(\.identifiers) == [["x"], ["MainVC", "Settings"]])
    #expect(module.pages.acceptedParameters.map(\.page) == ["", "Detail", "Main/MainVC"])
    #expect(module.pages.acceptedParameters.map(\.names) == [["from"], ["from", "_id"], ["tab"]])
    #expect(
      String(decoding: module.canonicalBytes(), as: UTF8.self) == """
        {"acceptedParameters":{"":["from"],"Detail":["from","_id"],"Main/MainVC":["tab"]},\
        "boards":{"A":["x"],"Main":["MainVC","Settings"]},"identifier":"a.b",\
        "pages":["","Detail","Settings.v2"],"sequence":1,"version":"1.0.0"}
        """)
  }

  @Test("a description without pages has the bytes that it had before there were any")
  func withoutPages() throws {
    let text = try #require(Self.cases.first { $0.text.contains("player_main") }).text
    #expect(
      String(decoding: try ModuleDescription(json: Array(text.utf8)).canonicalBytes(), as: UTF8.self) == """
        {"binary":{"linux-x86_64":{"libraries":["lib/libogg.so.0"],"needed":["libc.so.6"],\
        "path":"lib/com_example_player.so"}},"embedded":true,"identifier":"com.example.player",\
        "permissions":["audio"],"principal":"player_main","requires":{"host":">=2.0.0 <3.0.0",\
        "modules":[{"identifier":"com.example.codecs","versions":">=1.0.0"}]},"resources":["images","help.html"],\
        "routes":["ui://player/:track"],"sequence":37,"services":["PlaybackService"],\
        "targets":{"Player":["play",{"local":true,"name":"reset"}]},"version":"1.4.2"}
        """)
  }

  @Test(
    "what a module requires is written as it was read",
    arguments: [
      #"{"host":">=2.0.0 <3.0.0"}"#, #"{"modules":[{"identifier":"com.example.codecs","versions":">=1.0.0"}]}"#,
    ])
  func requirements(text: String) throws {
    let description = #"{"identifier":"a.b","requires":\#(text),"sequence":1,"version":"1.0.0"}"#
    #expect(
      String(decoding: try ModuleDescription(json: Array(description.utf8)).canonicalBytes(), as: UTF8.self)
        == description)
  }

  @Test("more pages, boards and parameters than the limits are refused")
  func pageLimits() throws {
    func list(_ count: Int, _ element: (Int) -> String) -> String { (0..<count).map(element).joined(separator: ",") }
    func read(_ fields: String) throws {
      _ = try ModuleDescription(
        json: Array("{\"identifier\":\"a.b\",\"version\":\"1.0.0\",\"sequence\":1,\(fields)}".utf8))
    }
    let pages = { (count: Int) in "\"pages\":[\(list(count) { "\"p\($0)\"" })]" }
    try read(pages(1000))
    expectError(.moduleMalformed) { try read(pages(1001)) }
    let boards = { (count: Int) in "\"boards\":{\(list(count) { "\"b\($0)\":[\"x\"]" })}" }
    try read(boards(200))
    expectError(.moduleMalformed) { try read(boards(201)) }
    let board = { (count: Int) in "\"boards\":{\"b\":[\(list(count) { "\"p\($0)\"" })]}" }
    try read(board(200))
    expectError(.moduleMalformed) { try read(board(201)) }
    let parameters = { (count: Int) in
      "\"pages\":[\"p\"],\"acceptedParameters\":{\"p\":[\(list(count) { "\"n\($0)\"" })]}"
    }
    try read(parameters(200))
    expectError(.moduleMalformed) { try read(parameters(201)) }
  }

  @Test("a complaint says line and column")
  func places() {
    let text = "{\"identifier\":\"a.b\",\n \"version\":\"1.0.0\",\"sequence\":1,\n  \"routes\":[\"a\",\n \"\"]}"
    let error = expectError(.moduleMalformed) { _ = try ModuleDescription(json: Array(text.utf8)) }
    #expect(error?.object == "line 4, column 2, module.routes[1]")
    let path = expectError(.pathParent) {
      _ = try ModuleDescription(
        json: Array("{\"identifier\":\"a.b\",\"version\":\"1.0.0\",\"sequence\":1,\"resources\":[\"..\"]}".utf8))
    }
    #expect(path?.object == "line 1, column 65, module.resources[0]")
  }

  @Test(
    "a statement has no description but in the one form that is written",
    arguments: [
      "\"routes\":[],", "\"embedded\":false,", "\"requires\":{},", "\"targets\":{\"A\":[{\"name\":\"b\"}]},",
      "\"pages\":[],", "\"boards\":{},", "\"acceptedParameters\":{},",
    ])
  func canonical(_ field: String) throws {
    let text = Array("{\(field)\"identifier\":\"a.b\",\"version\":\"1.0.0\",\"sequence\":1}".utf8)
    #expect(try ModuleDescription(json: text).identifier.description == "a.b")
    expectError(.jsonWrongValue) { _ = try statement(text) }
  }

  @Test("a statement's description has no fields that are not known")
  func statementFields() {
    let text = Array("{\"color\":1,\"identifier\":\"a.b\",\"version\":\"1.0.0\",\"sequence\":1}".utf8)
    expectError(.statementUnknownField) { _ = try statement(text) }
  }

  @Test("descriptions that differ in a version's build metadata are not the same")
  func metadata() throws {
    let texts = ["1.0.0+a", "1.0.0+b"].map { "{\"identifier\":\"a.b\",\"version\":\"\($0)\",\"sequence\":1}" }
    let both = try texts.map { try ModuleDescription(json: Array($0.utf8)) }
    #expect(both[0] != both[1] && both[0].version == both[1].version)
  }

  private func entry(_ path: String, _ content: EntryContent = .file(size: 0)) throws -> ArchiveEntry {
    ArchiveEntry(
      path: path, content: content, mode: try #require(FileMode(bits: 0o644)),
      data: .init(offset: 0, storedSize: 0, coding: .plain))
  }

  @Test("what a description names must be in the archive: code as files, resources as files or directories")
  func files() throws {
    let text = try #require(Self.cases.first { $0.text.contains("player_main") }).text
    let module = try ModuleDescription(json: Array(text.utf8))
    let rest = try [entry("module.json"), entry("lib/libogg.so.0"), entry("help.html"), entry("images/deep/a.png")]
    let binary = try entry("lib/com_example_player.so")
    try module.check(against: rest + [binary])
    let link = try entry("lib/com_example_player.so", .symbolicLink(target: "libogg.so.0"))
    #expect(
      expectError(.moduleMissingFile) { try module.check(against: rest) }?.object == "lib/com_example_player.so")
    expectError(.moduleMissingFile) { try module.check(against: rest + [link]) }
    for index in 1..<rest.count {
      var fewer = rest + [binary]
      fewer.remove(at: index)
      expectError(.moduleMissingFile) { try module.check(against: fewer) }
      fewer.append(try entry(module.resources[0], .symbolicLink(target: "lib")))
      expectError(.moduleMissingFile) { try module.check(against: fewer) }
    }
    var whole = rest + [binary]
    whole[3] = try entry("images", .directory)
    try module.check(against: whole)
    whole[1] = try entry("lib/libogg.so.0", .directory)
    expectError(.moduleMissingFile) { try module.check(against: whole) }
  }

  @Test("where an element stands is not counted for each of a thousand long ones")
  func manyElements() throws {
    let routes = (0..<1000).map { "\"\(String(repeating: "x", count: 1000))\($0)\"" }.joined(separator: ",")
    let text = """
      {"identifier": "com.example.player", "version": "1.0.0", "sequence": 1, "routes": [\(routes)]}
      """
    // Of the processor's time, not of the clock's: it took minutes.
    func seconds() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Int(time.tv_sec)
    }
    let start = seconds()
    #expect(try ModuleDescription(json: Array(text.utf8)).routes.count == 1000)
    #expect(seconds() - start < 30)
  }
}
