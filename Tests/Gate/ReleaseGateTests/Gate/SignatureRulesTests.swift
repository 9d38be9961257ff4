import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct SignatureRulesTests {
  private static let day: Int64 = 86_400

  @Test("a file below the top that was signed under its base name is found, and so is one that was renamed")
  func names() throws {
    let release = try ReleaseFolder()
    try release.write("linux/tool", "x")
    try release.sign("linux/tool", as: "tool")
    try release.write("app", "x")
    try release.sign("app", as: "bin/app")
    #expect(
      try release.check().lines == [
        "name | app | is signed under another name | app | bin/app",
        "name | linux/tool | is signed under another name | linux/tool | tool",
      ])
    #expect(try release.check(rules: #"{"name": "off"}"#).isClean)
  }

  @Test(
    "a name that only resembles the path is another name",
    arguments: ["Linux/tool", "linux/tool/tool", "x/linux/tool", "linux /tool", "linu\u{78}\u{301}/tool"])
  func resembling(name: String) throws {
    let release = try ReleaseFolder()
    try release.write("linux/tool", "x")
    try release.sign("linux/tool", as: name)
    let report = try release.check()
    #expect(report.lines == ["name | linux/tool | is signed under another name | linux/tool | \(name)"])
    #expect(report.findings.map(\.hint) == [PublisherAdvice.misplaced])
    #expect(!report.isClean)
  }

  @Test("a last name that only resembles the file's is refused by the verification")
  func resemblingLastName() throws {
    let release = try ReleaseFolder()
    try release.write("linux/tool", "x")
    try release.sign("linux/tool", as: "linux/xtool")
    let report = try release.check()
    #expect(report.findings.map(\.code) == ["subject.name-mismatch"])
    #expect(report.findings.map(\.hint) == [PublisherAdvice.misplaced])
  }

  @Test("a key below the policy's length is found")
  func strength() throws {
    let release = try ReleaseFolder(signer: try Signer(PrivateKey.generate(.rsa3072)))
    try release.add("tool")
    #expect(try release.check().lines == [])
    let report = try release.check(rules: #"{"key-strength": {"leastRSABits": 4096}}"#)
    #expect(
      report.lines == [
        """
        key-strength | tool | is signed by a key that is too short | RSA with 4096 bits or more | 3072 bits, \
        \(release.signer.publicKey.id)
        """
      ])
    expectError(.jsonWrongValue) {
      _ = try release.check(rules: #"{"key-strength": {"algorithms": ["Ed25519", "ed448"]}}"#)
    }
    let kind = try release.check(rules: #"{"key-strength": {"algorithms": ["Ed25519", "ECDSA-P384"]}}"#)
    #expect(
      kind.lines == [
        """
        key-strength | tool | is signed by a key of a kind that the policy does not allow | Ed25519, ECDSA-P384 | \
        RSA-3072, \(release.signer.publicKey.id)
        """
      ])
  }

  @Test("a statement that ends within the days, or before the end of life, is found")
  func expiry() throws {
    let release = try ReleaseFolder()
    try release.write("tool", "x")
    let end = UnixTime(seconds: ReleaseFolder.time.seconds + 40 * Self.day)
    try release.sign("tool", until: end)
    #expect(try release.check().lines == [])
    let soon = try release.check(rules: #"{"expiry": {"days": 41}}"#)
    let limit = UnixTime(seconds: ReleaseFolder.time.seconds + 41 * Self.day)
    #expect(soon.lines == ["expiry | tool | has a statement that ends too early | \(limit) or later | \(end)"])
    #expect(soon.findings.map(\.level) == [.warning])
    let later = try release.check(rules: #"{"expiry": {"level": "error", "endOfLife": "2030-01-01T00:00:00Z"}}"#)
    #expect(
      later.lines == ["expiry | tool | has a statement that ends too early | 2030-01-01T00:00:00Z or later | \(end)"])
    #expect(!later.isClean)
  }

  @Test("an old signature and one from the future are found")
  func age() throws {
    let release = try ReleaseFolder()
    let old = UnixTime(seconds: ReleaseFolder.time.seconds - 365 * Self.day)
    let future = UnixTime(seconds: ReleaseFolder.time.seconds + 301)
    for (name, time) in [
      ("old", old), ("young", UnixTime(seconds: old.seconds + 1)), ("future", future),
      ("skewed", UnixTime(seconds: ReleaseFolder.time.seconds + 300)),
    ] {
      try release.write(name, "x")
      try release.sign(name, at: time)
    }
    #expect(
      try release.check().lines == [
        "signature-age | future | seems to be signed in the future | a time up to \(ReleaseFolder.time) | \(future)",
        "signature-age | old | was signed long ago | less than 365 days ago | \(old)",
      ])
  }
}
