import Foundation
import PluginKit
import Testing

@Suite("texts that mean to be taken for others") struct HostileTextTests {
  @Test("what is in one segment stays in it, also in a tail that has a name")
  func tail() throws {
    let router = Router()
    try router.register(RoutePattern("ui://files/*rest"), owner: .host) { $0.parameters["rest"] }
    let smuggled = try router.open("ui://files/a/..%2F..%2Fetc%2Fpasswd") as? String
    // No URL may have `..` as a part, and this one has two parts.
    #expect(smuggled == "a/..%2F..%2Fetc%2Fpasswd")
    #expect(try router.open("ui://files/a%2Fb") as? String == "a%2Fb")
    #expect(try router.open("ui://files/a/b") as? String == "a/b")
  }

  @Test("control characters are those of Unicode's category Cc, as in format.md", arguments: ["%C2%85", "\u{9b}2J"])
  func controls(_ part: String) {
    expectPluginError(.urlControlCharacter) { try PluginURL("ui://a/x\(part)") }
    expectPluginError(.patternMalformed) { try RoutePattern("ui://a/x\(part)") }
  }

  @Test("names and values in queries that differ in bytes are different")
  func queryEquality() throws {
    // The sign for kelvin is canonically equivalent to K.
    #expect(try PluginURL("a://x?k=K") != PluginURL("a://x?k=%E2%84%AA"))
    #expect(try PluginURL("a://x?%E2%84%AA=1").query["K"] == nil)
    #expect(try PluginURL("a://x?K=1&%E2%84%AA=2").query["K"] == "1")
    #expect(try PluginURL("a://x#K") != PluginURL("a://x#%E2%84%AA"))
  }

  @Test("reserved keys are found whatever follows them", arguments: ["kCTMediator", "signet."])
  func reserved(_ key: String) throws {
    let targets = Targets()
    try targets.register("T", owner: .host, make: { true }) { $0.add("a") { _, input in "\(input.values)" } }
    expectPluginError(.actionReservedKey) { try targets.perform("x://T/a?\(key)x=1") }
    // A combining character makes another letter of the last one, and leaves its bytes.
    expectPluginError(.actionReservedKey) { try targets.perform("x://T/a?\(key)%CC%81x=1") }
  }

  @Test(
    "messages are one line that reads as it is written", arguments: ["\u{2028}", "\u{202e}", "\u{2066}", "\u{200b}"])
  func messages(_ character: String) {
    do { try Router().open("ui://a\(character)b") } catch {
      #expect(!"\(error)".unicodeScalars.contains(character.unicodeScalars.first!))
    }
  }

  @Test("the JSON of the table is JSON, whatever names there are")
  func json() throws {
    let switchboard = Switchboard()
    let context = switchboard.context(for: try ModuleDeclaration(identifier: "com.\"},{\\.m\u{0}\u{2028}"))
    let names = [
      "\"", "\\", "\u{0}\u{1f}\u{7f}\u{85}", "\",\"owner\":\"host", "\u{2028}\u{202e}", "\r\n", "e\u{301}",
    ]
    for name in names { try context.observe(notification: name) { _ in } }
    let parsed = try JSONSerialization.jsonObject(with: Data(switchboard.tableJSON.utf8)) as? [[String: Any]]
    #expect(parsed?.compactMap { $0["pattern"] as? String } == names)
    #expect(switchboard.tableJSON.split(separator: "\n").count == names.count + 2)
  }
}
