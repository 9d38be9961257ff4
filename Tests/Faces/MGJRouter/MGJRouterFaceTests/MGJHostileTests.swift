import MGJRouterFace
import PluginKit
import TestSupport
import Testing

@Suite("Texts that mean to harm MGJRouter") struct MGJHostileTests {
  private static let refusedPatterns: [(LongText, PluginError.Code)] = [
    ("", PluginError.Code.patternMalformed), ("mgj", .patternMalformed), ("://x", .patternMalformed),
    ("mgj:foo", .patternMalformed), ("1mgj://x", .patternMalformed), ("m g://x", .patternMalformed),
    ("mgj://a//b", .patternMalformed), ("mgj://a/../b", .patternMalformed), ("mgj://a/%2e", .patternMalformed),
    ("mgj://a\u{0}", .patternMalformed), ("mgj://a/%00", .patternMalformed), ("mgj://a/~/b", .patternMalformed),
    ("mgj://~/a", .patternMalformed), ("mgj://a#x", .patternMalformed), ("mgj://:a/:a", .patternDuplicateName),
    ("mgj://:-/:-", .patternDuplicateName), ("mgj://" + String(repeating: "a", count: 1100), .patternTooLong),
    ("mgj://" + String(repeating: "a/", count: 65), .patternTooLong),
    ("mgj://" + String(repeating: ":-/", count: 1_000_000), .patternTooLong),
    ("mgj://" + String(repeating: "(", count: 1000), .patternTooLong),
  ].map { (LongText($0), $1) }
  private static let refusedURLs: [(LongText, PluginError.Code)] = [
    ("", PluginError.Code.urlMalformed), ("mgj", .urlMalformed), ("mgj:foo", .urlMalformed),
    ("m%67j://foo", .urlMalformed), (" mgj://foo", .urlMalformed), ("mgj://foo//bar", .urlEmptySegment),
    ("mgj://foo/..", .urlDotSegment), ("mgj://foo/%2e%2E/bar", .urlDotSegment),
    ("mgj://foo/\n", .urlControlCharacter), ("mgj://foo/%00", .urlControlCharacter),
    ("mgj://" + String(repeating: "a", count: 20_000), .urlTooLong),
    ("mgj://" + String(repeating: "a/", count: 100), .urlTooLong),
    ("mgj://a?" + String(repeating: "a&", count: 300), .urlTooLong),
  ].map { (LongText($0), $1) }

  @Test("a pattern that is none is refused, and registers nothing", arguments: refusedPatterns)
  func patterns(_ hostile: LongText, _ code: PluginError.Code) throws {
    let pattern = hostile.text
    let fixture = try Fixture()
    expectPluginError(code) { try fixture.register(pattern) }
    #expect(!fixture.router.deregisterURLPattern(pattern) && fixture.switchboard.table.isEmpty)
  }

  @Test("a URL that is none runs no handler, not even the scheme's, and cannot be opened", arguments: refusedURLs)
  func urls(_ hostile: LongText, _ code: PluginError.Code) throws {
    let url = hostile.text
    let fixture = try Fixture("mgj://", "mgj://foo/bar")
    #expect(fixture.router.openURL(url)?.code == code)
    #expect(!fixture.router.canOpenURL(url) && fixture.router.object(forURL: url) == nil)
    #expect(fixture.calls.count == 0)
  }

  @Test("characters that have a meaning in PluginKit's patterns are texts in those of MGJRouter")
  func literals() throws {
    for part in ["(b)", "(", ")", "*", "*+", "*rest", "a:b", "a*", "h:80", "%3Aid", "%7E", "a%2Fb", "~a", "a~"] {
      let fixture = try Fixture("mgj://x/\(part)")
      #expect(fixture.ran("mgj://x/\(part)") != nil, "\(part)")
      for other in ["b", "", "x", "a", "~", "id"] where !(part == "%7E" && other == "~") {
        #expect(fixture.ran("mgj://x/\(other)") == nil, "\(part) matches \(other)")
      }
    }
  }

  @Test("names of parameters that PluginKit does not have cannot be taken for others")
  func names() throws {
    let fixture = try Fixture("mgj://x/:_0/:__1/:-/:a.b/:1.c")
    let parameters = try fixture.parameters("mgj://x/v/w/x/y.b/z.c")
    #expect(parameters.path == ["_0": "v", "__1": "w", "-": "x", "a": "y", "1": "z"])
    #expect(parameters["___3"] == nil && parameters["___5"] == nil)
    let long = String(repeating: "n", count: 65)
    #expect(try Fixture("mgj://:\(long)").parameters("mgj://x").path == [long: "x"])
  }

  @Test("what a slash encodes stays in its part, and is no wildcard or parameter")
  func encodedParts() throws {
    let fixture = try Fixture("mgj://a/:id", "mgj://a/b/c")
    #expect(try fixture.parameters("mgj://a/b%2Fc")["id"] as? String == "b/c")
    #expect(fixture.calls.names == ["mgj://a/:id"])
    #expect(try fixture.parameters("mgj://a/%3Aid")["id"] as? String == ":id")
    #expect(try fixture.parameters("mgj://a/%7E")["id"] as? String == "~")
  }

  @Test("a value with any text is in its part of a generated URL, and changes no other")
  func generatedValues() throws {
    let pattern = "mgj://a/:id/end?q=:q"
    let fixture = try Fixture(pattern)
    for value in ["../..", "x/y", "?q=1", "#f", "mgj://admin/delete", ":id", "%2F", "%", "a b", "家居", "&a=b", "+"] {
      let url = try MGJRouter.generateURL(withPattern: pattern, parameters: [value, value])
      let parameters = try fixture.parameters(url)
      #expect(parameters["id"] as? String == value && parameters["q"] as? String == value, "\(url)")
      #expect(parameters.query.count == 1 && !parameters.isFallback, "\(url)")
    }
    for value in ["\n", "\u{0}"] {
      expectPluginError(.patternValues) { try MGJRouter.generateURL(withPattern: pattern, parameters: [value, "x"]) }
    }
    let many = "mgj://a?" + (0..<300).map { "k\($0)=:v\($0)" }.joined(separator: "&")
    expectPluginError(.urlTooLong) { try MGJRouter.generateURL(withPattern: many, parameters: Array(0..<300)) }
  }
}
