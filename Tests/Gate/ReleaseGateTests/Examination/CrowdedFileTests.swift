import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

/// Files that are full of beginnings of keys and tokens take as long as others of their size.
@Suite struct CrowdedFileTests {
  private static let marks: [String] = [
    #""kty":"RSA","d":""#, #"{"kty":"RSA","a":"#, #""kty":"RSA"}"#, #""kty""#, #"\"kty\":\"EC\","#, "AKIA", "xoxb-",
    "-----BEGIN PRIVATE KEY-----", "AGE-SECRET-KEY-1", "UFJJVkFURSBLRVkt", "pypi-AgE", "T3BlbkFJ", "/home/a/b",
    "PuTTY-User-Key-File-2: ",
  ]

  /// Counts what rules are given to look at.
  @Test("a place is looked at for 16 bytes at most", arguments: marks)
  func bounded(mark: String) throws {
    let literals = RuleSettings().active.flatMap { ($0.rule as? any LiteralRule)?.literals ?? [] }
    let bytes = Array(String(repeating: mark, count: (512 << 10) / mark.utf8.count).utf8)
    var scan = LiteralScan(
      LiteralSearch(literals), ruleLiterals: literals.count, isELF: false, entry: nil, reading: 1)
    var count = 0
    try unsafe bytes.withUnsafeBytes { piece in
      try unsafe scan.scan(piece) { (_) throws(SignetError) in
        count += 1
        return .done
      }
    }
    try scan.finish { (_) throws(SignetError) in
      count += 1
      return .done
    }
    #expect(count <= bytes.count / 16 + 4096)
    var whole = LiteralScan(LiteralSearch(literals), isELF: false, entry: nil, reading: 1)
    var all = 0
    try unsafe bytes.withUnsafeBytes { piece in
      try unsafe whole.scan(piece) { (_) throws(SignetError) in
        all += 1
        return .done
      }
    }
    try whole.finish { (_) throws(SignetError) in
      all += 1
      return .done
    }
    #expect(scan.isCrowded == (count < all))
  }

  @Test("what was not looked at is told")
  func told() throws {
    let flood = Array(String(repeating: "AKIA", count: 200_000).utf8)
    for bytes in [flood, flood + WalkedFile.key] {
      let findings = try WalkedFile.findings(bytes)
      #expect(findings.contains { $0.hasPrefix("unsearched | - | - | gate.crowded | ") }, "\(findings)")
    }
    // As close to each other as keys can be.
    let key = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},"#
    #expect(try WalkedFile.findings(Array(String(repeating: key, count: 20_000).utf8)) == [])
    // Longer than the first look at them.
    let other =
      #"{"use":"sig","alg":"ES256","kty":"EC","crv":"P-256","kid":"k-2026-11","x":"\#(String(repeating: "a8Z", count: 14))","y":"\#(String(repeating: "b7Y", count: 14))"},\#n"#
    for count in [50, 200, 5_000] {
      #expect(try WalkedFile.findings(Array("[\(String(repeating: other, count: count))]".utf8)) == [], "\(count)")
    }
  }

  @Test("the first mark of an object in a block is looked at, and no other one")
  func first() {
    func found(_ before: String, _ after: String) -> Bool {
      let look = JSONWebKey.look(
        ContentMatch(
          entry: nil, isELF: false, literal: 0, position: before.utf8.count, before: Array(before.utf8),
          after: Array(after.utf8), reading: 1), near: before.utf8.count)
      return if case .key = look { true } else { false }
    }
    let key = #""kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A""#
    #expect(found("{", key + "}"))
    #expect(found("", key))
    #expect(found(#"{"a":{"kty":"EC"},"#, key + "}"))
    #expect(!found(#"{"kty":"EC","#, key + "}"))
    // A text within JSON is another object.
    #expect(found(#"{"a":"{\"kty\":\"EC\",","#, key + "}"))
    // An object that is nested more deeply than any key's members are ends the text.
    #expect(found("{", key + #","a":"# + String(repeating: #"{"a":"#, count: 9)))
    #expect(!found("{", #""kty":"OKP","crv":"Ed25519","a":"# + String(repeating: #"{"a":"#, count: 9) + key))
  }
}
