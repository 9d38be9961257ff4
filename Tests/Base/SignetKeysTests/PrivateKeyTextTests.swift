import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetKeys

@Suite("private keys in a text that would be shown")
struct PrivateKeyTextTests {
  private static func secret(_ name: String) throws -> String {
    String(decoding: try Repository.bytes("keys/insecure-test-\(name)"), as: UTF8.self)
  }

  @Test(
    "a private key is found however it was changed", arguments: ["ed25519", "rsa3072", "p256", "p384", "encrypted"])
  func found(name: String) throws {
    let pem = try Self.secret(name)
    let lines = pem.split(separator: "\n").dropFirst().dropLast()
    let base64 = lines.joined()
    let bytes = try Base64.decode(base64)
    // The compiler takes long for an array whose elements have no type.
    let indented = pem.split(separator: "\n").map { "  \($0)\n" }.joined()
    let quoted = lines.map { "\"\($0)\"" }.joined(separator: ",")
    let forURLs = base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    let hexadecimal = Hexadecimal.encode(bytes)
    let texts: [String] = [
      pem, " \(pem)", "\t\(pem)", "\"\(pem)", "'\(pem)'", "\u{feff}\(pem)", "key=\(pem)", "--key=\(pem)",
      lines.joined(separator: "\n"), indented,
      pem.replacingOccurrences(of: "\n", with: "\\n"), pem.replacingOccurrences(of: "-----", with: "----"),
      base64, " \(base64)", "\"\(base64)\"", "x:\(base64)", "--key=\(base64)",
      String(base64.prefix(base64.count / 2)),
      lines.joined(separator: "\\n"), quoted, forURLs, hexadecimal, hexadecimal.uppercased(), "0x\(hexadecimal)",
    ]
    for text in texts {
      #expect(PrivateKeyText.isPresent(in: text), "\(name): \(text.prefix(30))")
    }
  }

  @Test("secret keys of other programs are found")
  func others() {
    for text in [
      "RWRTY0IyAAAAAA", "untrusted comment: x\nRWRCSwAAAA", "AGE-SECRET-KEY-1QQQ",
      "-----BEGIN PGP PRIVATE KEY BLOCK-----", "{\"kty\":\"OKP\",\"d\":\"AAAA\"}",
      "{ \\\"kty\\\": \"EC\", \\\"d\\\": \"A\" }",
      "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU", "\"b3BlbnNzaC1r\\nZXktdjEAAAAABG5vbmU\"",
    ] {
      #expect(PrivateKeyText.isPresent(in: text), "\(text)")
    }
  }

  @Test("what is no private key is none: public keys, certificates, digests, paths")
  func honest() throws {
    var texts = [
      "release/plugin.zip", "/home/M/C4CAQ/key", "--modules=com.example.**", "SHA256:47DEQpj8HBSa", "M", "30", "",
      String(repeating: "M", count: 200), String(repeating: "30", count: 200), "PRIVATE KEY", "{\"kty\":\"OKP\"}",
    ]
    for name in ["ed25519", "rsa3072", "p256", "p384"] {
      let pem = try Self.secret("\(name).pub")
      texts += [pem, pem.split(separator: "\n").dropFirst().dropLast().joined(), try TestKeys.publicKey(name).pem]
    }
    let certificate = try Vector.named("verified", in: "chains").bytes("leaf.pem")
    texts.append(String(decoding: certificate, as: UTF8.self))
    texts.append(texts[texts.count - 1].split(separator: "\n").dropFirst().dropLast().joined())
    for text in texts { #expect(!PrivateKeyText.isPresent(in: text), "\(text.prefix(40))") }
  }
}
