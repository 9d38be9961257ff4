import Foundation
import TestSupport
import Testing

@testable import SignetBase

@Suite struct Base64Tests {
  @Test("text and bytes of every length go both ways, as Foundation has them")
  func roundTrip() throws {
    for count in 0..<70 {
      let bytes = patternBytes(count, seed: 7)
      let text = Base64.encode(bytes)
      #expect(text == Data(bytes).base64EncodedString())
      #expect(try Base64.decode(text) == bytes)
    }
  }

  @Test(
    "everything but the canonical form is refused",
    arguments: [
      "QQ", "QQ=", "QR==", "QUJ=", "QUI", "QQ===", "=QQ=", "Q=Q=", "QQ==QQ==", "QQ==\n", " QQ==", "QQ= =", "_w==",
      "-w==", "QU\u{301}I=", "====", "Q===", "AA\u{0}A",
    ])
  func refused(text: String) {
    expectError(.base64Malformed) { _ = try Base64.decode(text) }
  }
}
