import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

/// The tokens are put together here, so that no scanner takes this file for a leak.
@Suite struct AccessTokenRuleTests {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// Characters that look random.
  private static func random(_ count: Int, _ alphabet: [UInt8] = letters) -> String {
    String(decoding: patternBytes(count, seed: 11).map { alphabet[Int($0) % alphabet.count] }, as: UTF8.self)
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  /// A token with GitHub's checksum.
  private static func checked(_ prefix: String, _ count: Int = 30) -> String {
    let body = random(count)
    let sum = TokenText.digits(of: TokenText.crc32(body.utf8), base: 62, count: 6)
    return prefix + body + String(decoding: sum, as: UTF8.self)
  }

  private static func findings(_ text: String, entry: String? = nil, _ options: String = "{}") throws -> [String] {
    try ContentCheck(AccessTokenRule.self, options).findings(in: text, entry: entry)
  }

  private static func finding(_ words: String, _ found: String, offset: Int = 0) -> String {
    "access-token error app.zip at offset \(offset): holds \(words); expected no access tokens; "
      + "found \(found) characters; revoke it at its service, remove it, and build the release again"
  }

  // MARK: Checksums

  @Test("the checksums are those of published tokens that have expired")
  func checksums() throws {
    #expect(TokenText.crc32("123456789".utf8) == 0xcbf4_3926)
    let tokens = [
      ("ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"), ("gho_", "vr0nUtGPA6FMaUb56n4uJwJAoWuVfV", "4OdycX"),
      ("npm_", "UEuirnhN6qyDNigmWWTIEHMNquQHF5", "4FKSCV"),
    ]
    for (prefix, body, sum) in tokens { #expect(try Self.findings(prefix + body + sum).count == 1) }
    let gitlab = ["glpat-", "vSY1cyL948aAB440qB6L4zlu9OzsUmEV", ".01.0w", "0sfevch"].joined()
    #expect(try Self.findings(gitlab) == [Self.finding("a personal access token of GitLab", "glpat-…, 51")])
  }

  @Test(
    "tokens with a checksum are found, and with another checksum they are not",
    arguments: [
      ("ghp_", "a personal access token of GitHub"), ("gho_", "an OAuth token of GitHub"),
      ("ghu_", "a user's token for a GitHub app"), ("ghs_", "a token of a GitHub app"),
      ("ghr_", "a refresh token of a GitHub app"), ("npm_", "an access token of npm"),
    ])
  func checkedTokens(prefix: String, words: String) throws {
    let token = Self.checked(prefix)
    #expect(try Self.findings("token=\(token)\n") == [Self.finding(words, "\(prefix)…, 40", offset: 6)])
    for index in token.indices.dropFirst(4) {
      var other = token
      other.replaceSubrange(index...index, with: token[index] == "x" ? "y" : "x")
      #expect(try Self.findings(other) == [])
    }
    #expect(try Self.findings(String(token.dropLast())) == [])
  }

  @Test("the long forms of GitHub's tokens")
  func longForms() throws {
    let refresh = Self.checked("ghr_", 70)
    #expect(try Self.findings(refresh) == [Self.finding("a refresh token of a GitHub app", "ghr_…, 80")])
    let part = "eyJ" + Self.random(60)
    let stateless = "ghs_123456_\(part).\(part).\(Self.random(86))"
    #expect(
      try Self.findings(stateless + "\"") == [
        Self.finding("a token of a GitHub app", "ghs_…, \(stateless.utf8.count)")
      ])
    #expect(
      try Self.findings(stateless + Self.random(400)) == [
        Self.finding("a token of a GitHub app", "ghs_…, 512 or more")
      ])
    #expect(try Self.findings("ghs_123456_\(part)") == [])
    let fine = "github_pat_\(Self.random(22))_\(Self.random(59))"
    #expect(try Self.findings(fine) == [Self.finding("a fine-grained token of GitHub", "github_pat_…, 93")])
    for end in [11, 33, 34, 92] { #expect(try Self.findings(String(fine.prefix(end))) == []) }
    #expect(try Self.findings(fine + "a") == [])
    #expect(try Self.findings("github_pat_" + String(repeating: "X", count: 82)) == [])
  }

  // MARK: Other forms

  private static let openai = "T3Blbk" + "FJ"

  @Test(
    "tokens without a checksum are found by their form",
    arguments: [
      ("glpat-", random(20), "a personal access token of GitLab"), ("gldt-", random(20), "a deploy token of GitLab"),
      ("glptt-", random(40, hexadecimal), "a pipeline trigger token of GitLab"),
      ("AIza", random(35), "an API key of Google"),
      ("sk_live_", random(24), "a secret key of Stripe"), ("rk_live_", random(99), "a restricted key of Stripe"),
      ("xoxb-", "1234567890-1234567890123-" + random(24), "a token of Slack"),
      ("xoxp-", "12345678901-12345678901-123456789012-" + random(32, hexadecimal), "a token of Slack"),
      ("sk-ant-", "api03-" + random(93) + "AA", "a key of Anthropic"),
      ("sk-proj-", random(74) + openai + random(74), "a project's key of OpenAI"),
      ("sk-svcacct-", random(74) + openai + random(74), "a service account's key of OpenAI"),
      ("sk-admin-", random(74) + openai + random(74), "an administrator's key of OpenAI"),
      ("sk-", random(20) + openai + random(20), "a key of OpenAI"),
    ])
  func forms(prefix: String, rest: String, words: String) throws {
    let token = prefix + rest
    let expected = Self.finding(words, "\(prefix)…, \(token.utf8.count)", offset: 5)
    #expect(try Self.findings("key: \(token)\n") == [expected])
    #expect(try Self.findings("key: \(token)") == [expected])
    #expect(try Self.findings("key: \(token.dropLast(rest.utf8.count - 9))\n") == [])
    #expect(try Self.findings("key: \(prefix)\(String(repeating: "x", count: rest.utf8.count))\n") == [])
    #expect(try Self.findings("key: \(prefix)") == [])
  }

  @Test("a token of GitLab with routing has its checksum")
  func gitlabRouting() throws {
    for middle in [".01.0w", ".0w"] {
      let start = "glpat-" + Self.random(32) + middle
      let sum = TokenText.digits(of: TokenText.crc32(start.utf8), base: 36, count: 7)
      let token = start + String(decoding: sum, as: UTF8.self)
      #expect(try Self.findings(token).count == 1)
      #expect(try Self.findings(start + "0000000") == [])
      #expect(try Self.findings(String(token.dropLast())) == [])
    }
  }

  private static func pypi(_ location: String, caveats: [[UInt8]] = [], tail: [UInt8]? = nil) -> String {
    func field(_ type: UInt8, _ content: [UInt8]) -> [UInt8] { [type, UInt8(content.count)] + content }
    var bytes: [UInt8] = [2] + field(1, Array(location.utf8)) + field(2, patternBytes(36)) + [0]
    for caveat in caveats { bytes += field(2, caveat) + [0] }
    bytes += tail ?? [0] + field(6, patternBytes(32, seed: 3))
    let text = Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "pypi-" + text
  }

  @Test("a token of PyPI is a macaroon")
  func macaroons() throws {
    for token in [
      Self.pypi("pypi.org"), Self.pypi("test.pypi.org"),
      Self.pypi("pypi.org", caveats: [Array("[1, [\"project\"]]".utf8), Array("{}".utf8)]),
    ] {
      let expected = [Self.finding("an upload token of PyPI", "pypi-…, \(token.utf8.count)")]
      #expect(try Self.findings(token) == expected)
      #expect(try Self.findings("\(token)\n") == expected)
    }
    for token in [
      Self.pypi("pypi.com"), Self.pypi("pypi.org", tail: []), Self.pypi("pypi.org", tail: [0, 6, 32, 1, 2, 3]),
      Self.pypi("pypi.org", caveats: [[1]], tail: [0, 7, 1, 1]), "pypi-AgEIcHlwaS5vcmc",
      "pypi-AgE" + Self.random(100),
    ] { #expect(try Self.findings("\(token)\n") == []) }
  }

  @Test("an access key of AWS is a finding with its secret near it")
  func aws() throws {
    let key = "AKIA" + "Z7RSLPDN4RRBIZTM"
    let secret = "/" + Self.random(39)
    let expected = Self.finding("an access key of AWS with its secret", "AKIA…, 20", offset: 20)
    let text = "aws_access_key_id = \(key)\naws_secret_access_key = \(secret)\n"
    #expect(try Self.findings(text) == [expected])
    #expect(try Self.findings("\(secret)\n\(key)").count == 1)
    #expect(try Self.findings(text.replacing("AKIA", with: "ASIA")).count == 1)
    for other in [
      key, "\(key) \(Self.random(39))", "\(key) \(Self.random(41))", "\(key)A \(secret)", "A\(key) \(secret)",
      "\(key) \(Self.random(40, Self.hexadecimal))", "\(key)\(String(repeating: " ", count: 300))\(secret)",
      "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AKIAIOSFODNN7EXAMPLE \(secret)",
      "\(key) wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "\(key.lowercased()) \(secret)",
    ] { #expect(try Self.findings(other) == [], "\(other)") }
  }

  @Test(
    "examples and placeholders are none",
    arguments: [
      "xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx", "xoxb-your-token-here", "xoxb-not-a-real-token",
      "sk_live_xxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk_live_abcdefghijklmnopqrstuvwxyz012345",
      "AIzaSyExampleExampleExampleExampleExamp", "sk-ant-api03-...", "sk-proj-...", "glpat-xxxxxxxxxxxxxxxxxxxx",
      "glpat-yourtokenhereplease", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "npm_config_registry_with_a_long_name_behind",
      "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlIHNpZ25hdHVyZQ",
      "task_live_" + "Za3Bq9Lw8XyT5rUvM2nP7sKd",
    ])
  func placeholders(text: String) throws { #expect(try Self.findings("x = \"\(text)\"\n") == []) }

  @Test("a token's secret part is not in the report")
  func secrecy() throws {
    let token = Self.checked("ghp_")
    for finding in try Self.findings(token, entry: "etc/npmrc") {
      #expect(!finding.contains(token.dropFirst(4).prefix(4)))
      #expect(finding.hasPrefix("access-token error app.zip etc/npmrc at offset 0: "))
    }
  }

  // MARK: Options

  @Test("the tokens of a service may be allowed, and only of one that is known")
  func allowed() throws {
    let texts = "AIza\(Self.random(35)) \(Self.checked("npm_"))"
    #expect(try Self.findings(texts).count == 2)
    #expect(
      try Self.findings(texts, #"{"allow": ["google"]}"#)
        == [Self.finding("an access token of npm", "npm_…, 40", offset: 40)])
    let error = expectError(.jsonWrongValue) { _ = try Self.findings("", #"{"allow": ["Google"]}"#) }
    #expect(error?.found == "Google")
    #expect(
      error?.expected == "github, gitlab, npm, pypi, aws, google, stripe, slack, anthropic, openai")
  }

  @Test("broken texts are read to their end", .seeded)
  func broken() throws {
    var random = SeededRandom()
    let check = try ContentCheck(AccessTokenRule.self)
    for form in TokenForm.all {
      for _ in 0..<50 {
        let alphabet = Array("Aa0-_./=\u{0}".utf8) + Self.letters
        let rest = (0..<Int.random(in: 0...600, using: &random)).map { _ in
          alphabet.randomElement(using: &random) ?? 0
        }
        _ = try check.findings(in: Array(form.literal.utf8) + rest)
      }
      for count in stride(from: 0, to: 130, by: 3) {
        _ = try check.findings(in: form.literal + String(repeating: "A", count: count))
      }
    }
  }
}
