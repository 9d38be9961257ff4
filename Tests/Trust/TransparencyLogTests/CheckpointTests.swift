import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import TransparencyLog

/// Notes with checkpoints, and the signatures of logs and witnesses below them.
@Suite struct CheckpointTests {
  private static let root = Data(repeating: 7, count: 32).base64EncodedString()
  private static let text = "log.example.com/one\n42\n\(root)\n"

  private let log: LogKey
  private let witness: LogKey

  init() throws {
    log = try LogKey("log.example.com/one", TestKeys.publicKey("ed25519"), .ed25519Note)
    witness = try LogKey("witness.example.org", TestKeys.publicKey("ed25519"), .witness)
  }

  private static func line(_ name: String, _ id: [UInt8], _ bytes: [UInt8]) -> String {
    "\u{2014} \(name) \(Data(id.prefix(4) + bytes).base64EncodedString())\n"
  }

  private static func signed(_ text: String, _ key: String = "ed25519") throws -> [UInt8] {
    try TestKeys.load(Repository.bytes("keys/insecure-test-\(key)")).sign(Array(text.utf8))
  }

  /// A line by a witness at a time.
  private func cosigned(_ text: String, at seconds: UInt64) throws -> String {
    let time = (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) }
    return Self.line(
      witness.name, witness.id, time + (try Self.signed("cosignature/v1\ntime \(seconds)\n\(text)")))
  }

  private static func read(_ text: String) throws -> Checkpoint { try Checkpoint(Array(text.utf8)) }

  @Test("a checkpoint has an origin, a size and a root, and perhaps more lines")
  func honest() throws {
    let line = Self.line(log.name, log.id, try Self.signed(Self.text))
    let checkpoint = try Self.read(Self.text + "\n" + line)
    #expect(checkpoint.origin == "log.example.com/one")
    #expect(checkpoint.size == 42)
    #expect(checkpoint.root == [UInt8](repeating: 7, count: 32))
    try checkpoint.check(by: log)
    let longer = Self.text + "Timestamp: 1\nmore\n"
    try Self.read(longer + "\n" + Self.line(log.name, log.id, try Self.signed(longer))).check(by: log)
  }

  @Test("logs with other keys are named by the digest of the key")
  func others() throws {
    for kind in ["p256", "rsa3072"] {
      let key = try TestKeys.publicKey(kind)
      let log = try LogKey("rekor.example.com", key, .log)
      #expect(log.id == (try Digest.of(key.der, .sha256).bytes))
      let text = "rekor.example.com - 1193050959916656506\n42\n\(Self.root)\n"
      let line = Self.line(log.name, log.id, try Self.signed(text, kind))
      try Self.read(text + "\n" + line).check(by: log)
      expectError(.logKey) { _ = try LogKey("x", key, .witness) }
      expectError(.logKey) { _ = try LogKey("x", key, .ed25519Note) }
    }
  }

  @Test("lines of others count for nothing, and a line that says that it is by the key must be")
  func lines() throws {
    let good = Self.line(log.name, log.id, try Self.signed(Self.text))
    let stranger = Self.line("other.example.com", [1, 2, 3, 4], [9, 9, 9])
    let sameName = Self.line(log.name, [1, 2, 3, 4], [9, 9, 9])
    let sameNumber = Self.line("other.example.com", log.id, [9, 9, 9])
    let bad = Self.line(log.name, log.id, [UInt8](repeating: 9, count: 64))
    try Self.read(Self.text + "\n" + stranger + sameName + sameNumber + good).check(by: log)
    expectError(.logUnsigned) { try Self.read(Self.text + "\n" + stranger + sameName + sameNumber).check(by: log) }
    expectError(.logSignature) { try Self.read(Self.text + "\n" + good + bad).check(by: log) }
    expectError(.logSignature) { try Self.read(Self.text + "\n" + bad).check(by: log) }
    let changed = Self.text.replacing("42", with: "43")
    expectError(.logSignature) { try Self.read(changed + "\n" + good).check(by: log) }
  }

  @Test("a checkpoint of another log is not this one's, whoever has signed it")
  func origins() throws {
    for (origin, isOwn) in [
      ("log.example.com/one", true), ("log.example.com/one - 5", false), ("other", false),
      ("log.example.com/on", false),
    ] {
      let text = Self.text.replacing("log.example.com/one", with: origin)
      let checkpoint = try Self.read(text + "\n" + Self.line(log.name, log.id, Self.signed(text)))
      if isOwn { try checkpoint.check(by: log) } else { expectError(.logUnsigned) { try checkpoint.check(by: log) } }
    }
  }

  @Test("witnesses sign with their time, and each counts once")
  func witnesses() throws {
    let note = Self.text + "\n" + (try cosigned(Self.text, at: 1_700_000_000))
    let found = try Self.read(note + cosigned(Self.text, at: 1_700_000_001)).witnesses(among: [witness, log, witness])
    #expect(found.map(\.time) == [UnixTime(seconds: 1_700_000_000)])
    #expect(try Self.read(note).witnesses(among: [log]).isEmpty)
    // A signature over the text alone is a log's, and not a witness's.
    let bare = Self.line(witness.name, witness.id, try [UInt8](repeating: 0, count: 8) + Self.signed(Self.text))
    expectError(.logSignature) { _ = try Self.read(Self.text + "\n" + bare).witnesses(among: [witness]) }
    let short = Self.line(witness.name, witness.id, try Self.signed(Self.text))
    expectError(.logSignature) { _ = try Self.read(Self.text + "\n" + short).witnesses(among: [witness]) }
  }

  @Test("what is no note, or no checkpoint, is refused")
  func forms() throws {
    let line = Self.line(log.name, log.id, try Self.signed(Self.text))
    let long = String(repeating: "x", count: SignedNote.sizeLimit)
    let head = Self.text + "\n"
    func changed(_ old: String, _ new: String) -> String { Self.text.replacing(old, with: new) + "\n" + line }
    var texts: [String] = ["", "\n", Self.text, head, Self.text + line]
    texts.append(head + line.dropLast())
    texts.append(head + line + "x\n")
    texts.append(head + String(repeating: line, count: 101))
    for bad in [
      "- log AAAAAAA=", "\u{2014} log", "\u{2014} log AAAA", "\u{2014} lo+g AAAAAAA=", "\u{2014}  AAAAAAA=",
    ] {
      texts.append(head + bad + "\n")
    }
    texts.append(head + "\u{2014} log AAAAAAA= x\n")
    for size in ["042", "-1", "9223372036854775808", "", "4\t2"] { texts.append(changed("42", size)) }
    texts.append(changed(Self.root, "AAAA"))
    texts.append(changed("log.example.com/one\n", ""))
    texts.append("\n" + head + line)
    texts.append(long + head + line)
    for text in texts { expectError(.logNote, "\(text.prefix(80))") { _ = try Self.read(text) } }
    expectError(.logNote) { _ = try Checkpoint(Array(Self.text.utf8) + [0xff, 0x0a, 0x0a] + Array(line.utf8)) }
    #expect(
      try Self.read(changed("42", "9223372036854775807")).size == UInt64(Int64.max))
    #expect(try Self.read(changed("42", "0")).size == 0)
  }
}
