import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct KeyStoreTests {
  private static func four(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
  private static func text(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }
  private static let time = [UInt8](repeating: 0, count: 8)
  private static let certificate = four(2) + text("root") + time + text("X.509") + four(3) + [1, 2, 3]
  private static let key = four(1) + text("mine") + time + four(4) + [1, 2, 3, 4] + four(0)

  private static func findings(_ bytes: [UInt8]) throws -> [String] {
    try ContentCheck(PrivateKeyRule.self).findings(in: bytes)
  }

  @Test("a key in a Java key store is found behind certificates")
  func java() throws {
    let start: [UInt8] = [0xfe, 0xed, 0xfe, 0xed] + Self.four(2)
    #expect(
      try Self.findings(start + Self.four(2) + Self.certificate + Self.key) == [
        "private-key error app.zip: is a key store with an encrypted private key; expected no private keys; found JKS; "
          + "remove it, build the release again, and replace the key: only a passphrase protects it"
      ])
    #expect(try Self.findings(start + Self.four(1) + Self.certificate) == [])
    #expect(try Self.findings(start + Self.four(Int(UInt32.max)) + Self.certificate) == [], "fewer than it says")
    #expect(try Self.findings(start + Self.four(1) + Self.four(3) + Self.text("secret") + Self.time) == [])
    #expect(try Self.findings(Array("\u{fe}\u{ed} is not a store".utf8)) == [])
  }

  @Test("broken stores are read to their end")
  func broken() throws {
    let store: [UInt8] = [0xfe, 0xed, 0xfe, 0xed] + Self.four(2) + Self.four(2) + Self.certificate + Self.key
    for end in store.indices { _ = try Self.findings(Array(store[..<end])) }
    for index in store.indices {
      var bytes = store
      bytes[index] = 0xff
      _ = try Self.findings(bytes)
    }
    for bytes: [UInt8] in [
      [0x30, 0x80, 2, 1, 3], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], [0x30, 0x85] + patternBytes(20),
    ] {
      #expect(try Self.findings(bytes + [UInt8](repeating: 0x30, count: 40)) == [])
    }
  }
}
