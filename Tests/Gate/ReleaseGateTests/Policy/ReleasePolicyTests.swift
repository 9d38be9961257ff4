import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct ReleasePolicyTests {
  private static func text(_ more: String) throws -> [UInt8] {
    let trust = try TrustPolicy(trusting: [PrivateKey.generate(.ed25519).publicKey]).canonicalBytes()
    return Array("{\"version\": 1, \"trust\": \(String(decoding: trust, as: UTF8.self))\(more)}".utf8)
  }

  @Test("a policy says who signs, what is left out, how grave the rules are, and what to review")
  func whole() throws {
    let policy = try ReleasePolicy(
      json: Self.text(
        #", "exclude": ["*.md", "docs/**"], "rules": {"name": "warning", "expiry": {"days": 7}, "signature-age": "off"}, "review": ["look"]"#
      ))
    #expect(policy.trust.entries.count == 1)
    #expect(policy.exclusions.map(\.description) == ["*.md", "docs/**"])
    #expect(policy.reviews == ["look"])
    let levels = policy.settings.active.map { ($0.about.id, $0.level) }
    #expect(levels.first { $0.0 == "name" }?.1 == .warning)
    #expect(levels.first { $0.0 == "expiry" }?.1 == .warning)
    #expect(levels.first { $0.0 == "signature" }?.1 == .error)
    #expect(!levels.contains { $0.0 == "signature-age" })
  }

  @Test("a trust policy alone gives each rule its usual level")
  func trustAlone() throws {
    let trust = try TrustPolicy(trusting: [PrivateKey.generate(.ed25519).publicKey])
    let policy = try ReleasePolicy(json: trust.canonicalBytes())
    #expect(policy.trust == trust)
    #expect(policy.exclusions == [])
    #expect(
      policy.settings.active.map(\.about.id) == RuleList.all.filter { $0.about.usualLevel != nil }.map { $0.about.id }
    )
  }

  @Test(
    "what a policy does not know is refused",
    arguments: [
      (#", "more": 1"#, SignetError.Code.policyUnknownField),
      (#", "rules": {"no-such-rule": "error"}"#, .policyUnknownField),
      (#", "rules": {"expiry": {"weeks": 1}}"#, .policyUnknownField),
      (#", "rules": {"expiry": "fatal"}"#, .policyMalformed), (#", "rules": {"expiry": 1}"#, .policyMalformed),
      (#", "rules": {"expiry": {"days": 0}}"#, .policyMalformed), (#", "rules": []"#, .policyMalformed),
      (#", "exclude": ["/etc"]"#, .policyMalformed), (#", "exclude": "*.md""#, .policyMalformed),
      (#", "review": [1]"#, .policyMalformed), (#", "version": 1"#, .policyMalformed),
    ])
  func refused(more: String, code: SignetError.Code) throws {
    let text = try Self.text(more)
    expectError(code) { _ = try ReleasePolicy(json: text) }
  }

  @Test(
    "a wrong option is told in one form: its place with line and column, what may be there, and what is",
    arguments: [
      ("architecture", "names", #"["z80"]"#, "z80"), ("platforms", "names", #"["linux-z80"]"#, "linux-z80"),
      ("stripped", "symbols", #"["some"]"#, "some"), ("run-path", "folders", #"["lib"]"#, "lib"),
      ("access-token", "allow", #"["forge"]"#, "forge"), ("link", "allow", #"["/latest"]"#, "/latest"),
      ("unsearched", "allow", #"["a//b"]"#, "a//b"), ("reused-version", "allow", #"[""]"#, ""),
      ("key-strength", "algorithms", #"["DSA"]"#, "DSA"), ("expiry", "days", "0", "0"),
    ])
  func wrongOption(rule: String, option: String, value: String, found: String) throws {
    let text = try Self.text(",\n\"rules\": {\"\(rule)\": {\"\(option)\": \(value)}}")
    let error = expectError(.policyMalformed) { _ = try ReleasePolicy(json: text) }
    let column = #""rules": {"": {"": "#.utf8.count + rule.utf8.count + option.utf8.count + 1
    #expect(error?.object == "line 2, column \(column), policy.rules.\(rule).\(option)")
    #expect(error?.message == "has an invalid value")
    #expect(error?.found == found)
    #expect(error?.expected?.isEmpty == false)
  }

  @Test("every rule can be made without options, and its texts are sentences")
  func rules() throws {
    #expect(RuleSettings().active.count == RuleList.all.count { $0.about.usualLevel != nil })
    var ids: Set<String> = []
    for rule in RuleList.all {
      let about = rule.about
      #expect(ids.insert(about.id).inserted)
      #expect(about.id.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber }, "\(about.id)")
      #expect(!about.title.hasSuffix(".") && about.title.first?.isUppercase ?? false, "\(about.title)")
      #expect(about.help.hasSuffix("."), "\(about.help)")
      #expect(!about.help.contains("\n"), "\(about.id)")
    }
  }

  @Test("the starter policy can be read, and lets nothing pass until it was reviewed")
  func starter() throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    try release.write("notes.txt", "notes")
    let text = try StarterPolicy(for: release.path, trusting: [release.signer.publicKey]).text()
    let policy = try ReleasePolicy(json: text)
    #expect(policy.trust.entries.map(\.name) == ["publisher"])
    #expect(
      policy.reviews == [
        "trust.entries: check that each key is the publisher's, and for what it is trusted",
        "notes.txt has no signature beside it: sign it, or name it in exclude",
      ])
    #expect(policy.settings.active.map(\.about.id) == RuleSettings().active.map(\.about.id))
  }
}

@Suite struct AllowedPlacesTests {
  @Test("a place is allowed by a pattern for what is left of its path without the first names")
  func places() throws {
    for text in ["b*", "README.md", "docs/**", "*.md", "a/*/c", "**", "**/c", "c/**", "**/**", "a/b", "b"] {
      let pattern = try #require(PathPattern(text))
      for path in ["README.md", "a/README.md", "docs", "x/docs/a/b", "x/a/b/c", "c", "y/x/b.md", "a/b", "b/a"] {
        let names = PathPattern.names(of: path)
        let isCovered = names.indices.contains { pattern.covers(Array(names[$0...])) }
        #expect(AllowedPlaces([pattern]).cover(nil, in: path) == isCovered, "\(text) \(path)")
        #expect(AllowedPlaces([pattern]).cover("i.tar!" + path, in: "o.zip") == isCovered || text == "**")
      }
    }
  }
}
