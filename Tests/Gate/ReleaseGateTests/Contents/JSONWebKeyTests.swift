import SignetArchive
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// JSON Web Keys whose parts are far from each other, and those with what only some programs read.
@Suite struct JSONWebKeyTests {
  private static func number(_ count: Int, _ seed: UInt64) -> String {
    Base64.encode(patternBytes(count, seed: seed)).replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private static let open =
    #""kty":"EC","crv":"P-256","x":"\#(number(32, 1))","y":"\#(number(32, 2))""#
  private static let secret = #""d":"\#(number(32, 3))""#

  /// The kinds of keys that are found.
  private static func found(_ text: String) throws -> [String] {
    try ContentCheck(PrivateKeyRule.self).findings(in: text).compactMap {
      $0.split(separator: ";").first { $0.hasPrefix(" found ") }.map { String($0.dropFirst(7)) }
    }
  }

  /// A member that fills a place, as a chain of certificates does.
  private static func filling(_ count: Int) -> String {
    let certificate = Base64.encode(patternBytes(1400, seed: 5))
    return #""x5c":[\#((0...count / 1900).map { _ in "\"\(certificate)\"" }.joined(separator: ","))]"#
  }

  @Test("the private number is found behind and before a chain of certificates", arguments: [2100, 5000, 7000])
  func chains(count: Int) throws {
    let chain = Self.filling(count)
    for text in [
      "{\(Self.open),\(chain),\(Self.secret)}", "{\(Self.secret),\(chain),\(Self.open)}",
      "[{\(Self.open)},{\(Self.secret),\(chain),\(Self.open)}]",
    ] {
      #expect(try Self.found(text) == ["EC in JWK"], "\(text.utf8.count)")
      let more = String(repeating: #"{"a":"b"},"#, count: 30_000)
      #expect(try Self.found("[\(more)\(text)]") == ["EC in JWK"])
    }
    for text in ["[{\(Self.open),\(chain)},{\(Self.secret)}]", "{\(Self.open),\(chain),\"a\":{\(Self.secret)}}"] {
      #expect(try Self.found(text) == [], "the number is that of another object")
    }
  }

  @Test(
    "parts that are far away are found, and public keys as long are no crowd", arguments: [9_000, 17_000, 29_000])
  func far(count: Int) throws {
    let chain = Self.filling(count)
    for text in ["{\(Self.open),\(chain),\(Self.secret)}", "{\(Self.secret),\(chain),\(Self.open)}"] {
      #expect(try Self.found(text) == ["EC in JWK"], "\(text.utf8.count)")
    }
    let inText = "{\(Self.secret),\(chain),\(Self.open)}".replacing("\"", with: "\\\"")
    #expect(try Self.found("{\"a\":\"\(inText)\"}") == ["EC in JWK"])
    for key in ["{\(chain),\(Self.open)}", "{\(Self.open),\(chain)}"] {
      let keys = Array(repeating: key, count: 40).joined(separator: ",")
      #expect(try WalkedFile.findings(Array("[\(keys)]".utf8)) == [])
    }
  }

  @Test("an object that is longer than a look is named, and a program is not")
  func tooFar() throws {
    let long = Self.filling(40_000)
    for text in ["{\(Self.open),\(long),\(Self.secret)}", "{\(Self.secret),\(long),\(Self.open)}"] {
      let found = try WalkedFile.findings(Array(text.utf8))
      #expect(found.count == 1 && found[0].hasPrefix("unsearched | - | - | gate.crowded | "), "\(found)")
    }
    // What is behind the object is another text.
    for tail in [";\n// end", "</script>", "\n```\nIt's a key.\n", "\u{0}"] {
      for member in ["", "\"a\":NaN,"] {
        let found = try WalkedFile.findings(Array("k = {\(Self.secret),\(long),\(member)\(Self.open)}\(tail)".utf8))
        #expect(found.count == 1 && found[0].hasPrefix("unsearched | - | - | gate.crowded | "), "\(tail): \(found)")
      }
    }
    let filling = Array(Base64.encode(patternBytes(60_000, seed: 4)).utf8)
    for (start, end) in [
      (#"var a = {"kty":"EC","crv":b,"#, ""), (#"{"kty":"EC","x":""#, "\u{0}"),
      (#"{"kty":"EC",c:""#, ""),
    ] { #expect(try WalkedFile.findings(Array(start.utf8) + Array(end.utf8) + filling) == [], "\(start)") }
  }

  @Test("public keys with long chains are no crowd")
  func honest() throws {
    let keys = (0..<200).map { _ in "{\(Self.open),\(Self.filling(4200))}" }
    #expect(try WalkedFile.findings(Array("[\(keys.joined(separator: ","))]".utf8)) == [])
    // Each mark asks for more than there is for it.
    let deep = try WalkedFile.findings(Array(String(repeating: #"{"kty":"EC","a":"#, count: 60_000).utf8))
    #expect(deep.count == 1 && deep[0].hasPrefix("unsearched | - | - | gate.crowded | "), "\(deep)")
  }

  @Test("members that are nested deeply before the kind hide nothing", arguments: [4, 5, 6, 40])
  func depth(count: Int) throws {
    let nested = String(repeating: #"{"a":["#, count: count) + String(repeating: "]}", count: count)
    for text in [
      "{\"b\":\(nested),\(Self.open),\(Self.secret)}", "{\(Self.open),\"b\":\(nested),\(Self.secret)}",
      "{\(Self.secret),\"b\":\(nested),\(Self.open)}",
    ] { #expect(try Self.found(text) == ["EC in JWK"], "\(text)") }
  }

  @Test(
    "comments in a key hide nothing",
    arguments: [
      "/* it's \" */", "// it's \"\n", "/* { */", "// }\n", "// {\n", "/*\"a\":\"*/", "// a\n// \"kty\":\"EC\", \"\n",
      "/**/",
      "/* https://example.com/\" */",
    ])
  func comments(comment: String) throws {
    let names = Self.open.split(separator: ",").map(String.init)
    for text in [
      "{\(comment)\(Self.open),\(Self.secret)}", "{\(Self.open),\(comment)\(Self.secret)}",
      "{\n\(Self.secret),\n\(comment)\(Self.open)}", "{\n\(names[1]),\(comment)\(Self.secret),\n\(names[0])}",
      "{\n\(names[1]),\n\(Self.secret),\n\"kty\"\(comment):\(comment)\"EC\"}",
      "{\(names.joined(separator: ",\(comment)")),\"d\"\(comment): \(comment)\"\(Self.number(32, 3))\"}",
    ] {
      // A comment may have a mark of its own.
      #expect(try Set(Self.found(text)) == ["EC in JWK"], "\(text)")
    }
  }

  @Test(
    "what only lenient readers take hides nothing, however far the parts are", arguments: [10, 5000, 10_000, 25_000])
  func lenient(count: Int) throws {
    let lines = Array(repeating: String(repeating: "MII/", count: 16), count: count / 65 + 1).joined(separator: "\n")
    let chain = "\"x5c\":[\"\(lines)\"]"
    let texts = [
      "{\(Self.open),\(chain),\(Self.secret)}", "{\(Self.secret),\(chain),\(Self.open)}",
      "{\(Self.open),\"n\":0x1F,\(Self.filling(count)),\(Self.secret)}",
      "{\(Self.open),\(Self.filling(count)),\(Self.secret),}",
    ]
    for text in texts + texts.map({ $0.replacing("\"", with: "'") }) + [
      "{\(Self.open),'x5c':['it is \"quoted'],\(Self.filling(count)),\(Self.secret.replacing("\"", with: "'"))}",
      "{'a': \"it's\", \(Self.secret), \(Self.filling(count)), 'kty': 'EC', 'crv': \"P-256\"}",
    ] { #expect(try Set(Self.found(text)) == ["EC in JWK"], "\(text)") }
    for text in ["[{\(Self.open),\(chain)},{\(Self.secret)}]", "{'kty':'oct','k':'\(Self.number(32, 7))'}"] {
      #expect(try Self.found(text) == [], "\(text)")
    }
  }

  @Test("a line end in a string does not keep a long key from being named")
  func lenientTooFar() throws {
    let lines = Array(repeating: String(repeating: "MIIB", count: 16), count: 700).joined(separator: "\n")
    let found = try WalkedFile.findings(Array("{\(Self.open),\"x5c\":[\"\(lines)\"],\(Self.secret)}".utf8))
    #expect(found.count == 1 && found[0].hasPrefix("unsearched | - | - | gate.crowded | "), "\(found)")
  }

  @Test("a comment that begins long before the kind hides nothing", arguments: [100, 700, 1500])
  func longComment(count: Int) throws {
    let lines = String(repeating: "it's \" } a line {\n", count: count / 18)
    #expect(try Set(Self.found("{\n\(Self.secret),\n/*\n\(lines)*/\n\(Self.open)}")) == ["EC in JWK"])
  }

  @Test("a key in a comment is one, and addresses are no comments")
  func inComments() throws {
    let lines = "{\(Self.open),\(Self.secret)}".replacing(",", with: ",\n// ")
    #expect(try Self.found("// \(lines)") == ["EC in JWK"])
    #expect(try Self.found("/* {\(Self.open),\(Self.secret)} */") == ["EC in JWK"])
    #expect(try Self.found(#"{"x5u":"https://example.com/",\#(Self.open),\#(Self.secret)}"#) == ["EC in JWK"])
    #expect(try Self.found("{\(Self.open), // \n},{\n\(Self.secret)}") == [])
  }

  @Test("the number may have padding, and characters that are not for URLs")
  func padding() throws {
    let plain = Base64.encode(patternBytes(32, seed: 9))
    #expect(plain.hasSuffix("=") && (plain.contains("+") || plain.contains("/")))
    #expect(try Self.found("{\(Self.open),\"d\":\"\(plain)\"}") == ["EC in JWK"])
    #expect(try Self.found("{\(Self.open),\"d\":\"\(plain)==\"}") == [])
    let long = Base64.encode(patternBytes(256, seed: 3))
    #expect(long.hasSuffix("=="))
    #expect(try Self.found("{\"kty\":\"RSA\",\"d\":\"\(long)\"}") == ["RSA in JWK"])
  }

  @Test("blocks are counted in what is searched, which may be parts of a file")
  func blocks() throws {
    let rule = try #require(ContentCheck(PrivateKeyRule.self).rule as? any LiteralRule)
    let literal = try #require(rule.literals.firstIndex(of: Array(JSONWebKey.literal.utf8)))
    // The mark before it is in another block, and does not answer for the object.
    let before = "{\"kty\":\"EC\",\"a\":\"\(String(repeating: "x", count: 90))\","
    let match = ContentMatch(
      entry: nil, isELF: false, literal: literal, position: 2048 + 20, before: Array(before.utf8),
      after: Array("\(Self.open),\(Self.secret)}".utf8), reading: 1)
    for (offset, name) in [(nil, "whole"), (6000, "part")] {
      var findings = RuleFindings("private-key", .error, about: "a")
      let answer = try rule.check(
        match.owned(as: literal, at: offset),
        in: ExaminedArtifact(
          path: "a", isDirectory: false, size: 0, sha256: try WalkedFile.emptyDigest(), .notVerified), &findings)
      #expect(answer == .done && findings.all.count == 1, "\(name)")
    }
  }
}
