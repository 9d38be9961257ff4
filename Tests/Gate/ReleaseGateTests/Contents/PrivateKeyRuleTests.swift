import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct PrivateKeyRuleTests {
  private static func pem(_ kind: PrivateKey.Kind = .ed25519) throws -> String {
    text(try PrivateKey.generate(kind).unencrypted())
  }

  private static func text(_ secret: SecretBytes) -> String {
    secret.withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
  }

  /// A block of PEM with lines of 64 characters.
  private static func block(_ label: String, _ content: [UInt8], headers: String = "") -> String {
    let base64 = Array(Base64.encode(content).utf8)
    let lines = stride(from: 0, to: base64.count, by: 64).map {
      String(decoding: base64[$0..<min($0 + 64, base64.count)], as: UTF8.self)
    }
    return "-----BEGIN \(label)-----\n\(headers)\(lines.joined(separator: "\n"))\n-----END \(label)-----\n"
  }

  @Test("keys that are known to be for tests are allowed by their place or their digest, and others are found")
  func allowed() throws {
    let text = WalkedFile.key
    let digest = try Digest.of(text, .sha256).hex
    let make =
      "mkdir -p p-1/tests p-1/src; cp key p-1/tests/server.key; (cat key; echo) > p-1/src/key; tar --format=gnu -czf o p-1"
    let release = try WalkedFile.made(make, "o")
    for (allow, places) in [
      ("tests/*.key", ["p-1/src/key"]), ("p-1/tests/**", ["p-1/src/key"]),
      ("*.pem", ["p-1/tests/server.key", "p-1/src/key"]),
      ("sha256:\(digest)", ["p-1/src/key"]),
      ("sha256:\(String(digest.reversed()))", ["p-1/tests/server.key", "p-1/src/key"]),
      ("app.tar.gz/**", []),
    ] {
      let found = try WalkedFile.findings(release, "app.tar.gz", #""private-key": {"allow": ["\#(allow)"]}"#)
      let named = found.filter { $0.hasPrefix("private-key") }.map { $0.components(separatedBy: " | ")[1] }
      #expect(named.sorted() == places.sorted(), "\(allow)")
    }
    // The digest is that of the whole file, of any size, and says nothing about the next one.
    let large = text + [UInt8](repeating: 0x20, count: 100_000)
    let sha256 = try Digest.of(large, .sha256).hex
    let rule = #""private-key": {"allow": ["sha256:\#(sha256)"]}"#
    #expect(try WalkedFile.findings(large, "a.key", rule).filter { $0.hasPrefix("private-key") } == [])
    #expect(try WalkedFile.findings(large + [0x20], "a.key", rule).count { $0.hasPrefix("private-key") } == 1)
    for wrong in ["sha256:00", "sha256:\(digest.uppercased())", "/a"] {
      expectError(.jsonWrongValue) { _ = try ContentCheck(PrivateKeyRule.self, #"{"allow": ["\#(wrong)"]}"#) }
    }
  }

  private static func findings(_ text: String, entry: String? = nil) throws -> [String] {
    try ContentCheck(PrivateKeyRule.self).findings(in: text, entry: entry)
  }

  private static func plain(_ place: String, _ found: String, _ verb: String = "holds") -> String {
    "private-key error app.zip\(place): \(verb) a private key; expected no private keys; found \(found); "
      + "remove it, build the release again, and replace the key"
  }

  private static func encrypted(_ place: String, _ found: String, _ verb: String = "holds") -> String {
    "private-key error app.zip\(place): \(verb) an encrypted private key; expected no private keys; found \(found); "
      + "remove it, build the release again, and replace the key: only a passphrase protects it"
  }

  // MARK: PEM

  @Test("a key is found wherever it stands in a text", arguments: [PrivateKey.Kind.ed25519, .p256, .rsa3072])
  func placesInText(kind: PrivateKey.Kind) throws {
    let pem = try Self.pem(kind)
    #expect(try Self.findings(pem) == [Self.plain(" at offset 0", "PKCS #8 in PEM")])
    #expect(
      try Self.findings("some text\n" + pem, entry: "etc/key.pem")
        == [Self.plain(" etc/key.pem at offset 10", "PKCS #8 in PEM")])
  }

  @Test(
    "line ends may be written in any way",
    arguments: [
      ("\n", "\r\n"), ("\n", #"\n"#), ("\n", #"\r\n"#), ("\n", #"\\n"#), ("\n", #"\u000a"#), ("\n", "&#10;"),
      ("\n", " "),
      ("\n", ""), ("\n", "\\n\" +\n    \""), ("\n", "\\n\"\n  \""), ("\n", "\\n', \n'"), ("\n", "\\\n"),
      ("\n", "\n    "),
      ("/", #"\/"#),
    ])
  func lineEnds(old: String, new: String) throws {
    let pem = try Self.pem(.p256).split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    #expect(try Self.findings("key = \"" + pem + "\"") == [Self.plain(" at offset 7", "PKCS #8 in PEM")], "\(new)")
  }

  @Test(
    "a label without a key behind it is none",
    arguments: [
      "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n",
      "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
      "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n",
      "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF0E4mF6v6Yx7L4Zq1n2p\n"
        + "-----END RSA PRIVATE KEY-----\n",
      "-----BEGIN PRIVATE KEY-----\nthe text of your private key with a few words more than there were\n",
      "-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
      "if text.contains(\"-----BEGIN OPENSSH PRIVATE KEY-----\") { return true }",
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\0-----BEGIN EC PRIVATE KEY-----\0",
      "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nmQENBFzAAAABCADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
      "-----END PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAAAAAAAAAAAAAAAAAAAAAAAA\n",
      "-----begin PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAAAAAAAAAAAAAAAAAAAAAAAA\n",
    ])
  func labelsAlone(text: String) throws { #expect(try Self.findings(text) == []) }

  @Test("public keys and certificates are none")
  func publicHalves() throws {
    let key = try PrivateKey.generate(.p256).publicKey
    #expect(try Self.findings(Self.block("PUBLIC KEY", key.der)) == [])
    #expect(try Self.findings(Self.block("PRIVATE KEY", key.der)) == [], "what it is decides, not the label")
    #expect(try ContentCheck(PrivateKeyRule.self).findings(in: key.der) == [])
  }

  @Test("an encrypted key is a finding with other words")
  func encryptedKeys() throws {
    let key = try PrivateKey.generate(.ed25519)
    let pem = Self.text(try key.encrypted(with: SecretBytes(Array("passphrase".utf8))))
    #expect(try Self.findings(pem) == [Self.encrypted(" at offset 0", "PKCS #8 in PEM")])
    let old = Self.block(
      "RSA PRIVATE KEY", patternBytes(600), headers: "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233\n\n")
    #expect(try Self.findings(old) == [Self.encrypted(" at offset 0", "RSA in PEM")])
    let escaped = old.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: #"\n"#)
    #expect(try Self.findings(escaped) == [Self.encrypted(" at offset 0", "RSA in PEM")])
  }

  @Test("other forms between dashes are found by what is in them")
  func otherForms() throws {
    let openSSH =
      Array("openssh-key-v1\u{0}\u{0}\u{0}\u{0}\u{4}none\u{0}\u{0}\u{0}\u{4}none".utf8) + patternBytes(200)
    #expect(try Self.findings(Self.block("OPENSSH PRIVATE KEY", openSSH)) == [Self.plain(" at offset 0", "OpenSSH")])
    let locked = Array("openssh-key-v1\u{0}\u{0}\u{0}\u{0}\u{a}aes256-ctr".utf8) + patternBytes(200)
    #expect(
      try Self.findings(Self.block("OPENSSH PRIVATE KEY", locked)) == [Self.encrypted(" at offset 0", "OpenSSH")])
    for first: UInt8 in [0x94, 0x95, 0xc5] {
      let block = Self.block("PGP PRIVATE KEY BLOCK", [first] + patternBytes(200), headers: "Version: GnuPG v2\n\n")
      #expect(try Self.findings(block) == [Self.plain(" at offset 0", "OpenPGP")])
    }
    let ssh2 =
      [0x3f, 0x6f, 0xf9, 0xeb] + [0, 0, 1, 0] + [0, 0, 0, 3] + Array("rsa".utf8) + [0, 0, 0, 4]
      + Array("none".utf8) + patternBytes(100)
    let text = "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"mine\"\n\(Base64.encode(ssh2))\n"
    #expect(try Self.findings(text) == [Self.plain(" at offset 0", "SSH2")])
  }

  @Test("each key of a text has its finding")
  func several() throws {
    let pem = try Self.pem()
    #expect(
      try Self.findings(pem + pem) == [
        Self.plain(" at offset 0", "PKCS #8 in PEM"), Self.plain(" at offset \(pem.utf8.count)", "PKCS #8 in PEM"),
      ])
  }

  @Test("a key in a program is found")
  func binary() throws {
    let pem = try Self.pem()
    #expect(
      try ContentCheck(PrivateKeyRule.self).findings(inBinaryWith: [pem], entry: "bin/tool")
        == [Self.plain(" bin/tool at offset 64", "PKCS #8 in PEM")])
  }

  @Test("broken texts are read to their end", .seeded)
  func broken() throws {
    var random = SeededRandom()
    let check = try ContentCheck(PrivateKeyRule.self)
    let texts = [try Self.pem(.rsa3072), Self.block("OPENSSH PRIVATE KEY", patternBytes(90))].map { Array($0.utf8) }
    for text in texts {
      for end in stride(from: 0, to: min(text.count, 700), by: 3) { _ = try check.findings(in: Array(text[..<end])) }
      for _ in 0..<500 {
        var text = text
        for _ in 0..<3 {
          text[Int.random(in: 0..<text.count, using: &random)] =
            "\\\"'`&=-\n0u".utf8.randomElement(using: &random) ?? 0
        }
        _ = try check.findings(in: text)
      }
    }
  }

  // MARK: DER

  private static func number(_ size: Int) -> [UInt8] {
    DERWriter.unsignedInteger([0x7f] + patternBytes(size - 1))
  }
  private static let zero: [UInt8] = [2, 1, 0]
  private static let rsa = DERWriter.sequence(
    zero, number(256), [2, 3, 1, 0, 1], number(256), number(128), number(128),
    number(128), number(128), number(128))
  private static let curve = DERWriter.element(0xa0, [6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7])
  private static let ec = DERWriter.sequence([2, 1, 1], DERWriter.element(4, patternBytes(32)), curve)
  private static let dsa = DERWriter.sequence(zero, number(128), number(20), number(128), number(128), number(20))

  @Test("a file that is a key in DER is found")
  func wholeFiles() throws {
    let check = try ContentCheck(PrivateKeyRule.self)
    let key = try PrivateKey.generate(.ed25519)
    func der(_ pem: SecretBytes) throws -> [UInt8] {
      let lines = Self.text(pem).split(separator: "\n").dropFirst().dropLast()
      return try Base64.decode(lines.joined())
    }
    #expect(try check.findings(in: der(key.unencrypted())) == [Self.plain("", "PKCS #8 in DER", "is")])
    let encrypted = try key.encrypted(with: SecretBytes(Array("passphrase".utf8)))
    #expect(
      try check.findings(in: der(encrypted), entry: "a.p8") == [Self.encrypted(" a.p8", "PKCS #8 in DER", "is")])
    for (bytes, words) in [(Self.rsa, "RSA in DER"), (Self.ec, "EC in DER"), (Self.dsa, "DSA in DER")] {
      #expect(try check.findings(in: bytes) == [Self.plain("", words, "is")])
      #expect(try check.findings(in: bytes + [0]) == [], "a byte too many")
      #expect(try check.findings(in: Array(bytes.dropLast())) == [], "a byte too few")
      #expect(try check.findings(in: Self.block("PRIVATE KEY", bytes)).count == 1)
    }
  }

  @Test("other DER is none")
  func otherDER() throws {
    let check = try ContentCheck(PrivateKeyRule.self)
    let digest = DERWriter.sequence(
      DERWriter.sequence([6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1], [5, 0]),
      DERWriter.element(4, patternBytes(32)))
    let others = [
      DERWriter.sequence(Self.number(32), Self.number(32)), DERWriter.sequence(Self.number(256), [2, 3, 1, 0, 1]),
      digest,
      DERWriter.sequence([2, 1, 1], DERWriter.element(4, patternBytes(32))), DERWriter.sequence(Self.zero),
      DERWriter.sequence([2, 1, 2], DERWriter.sequence([6, 1, 1]), [4, 1, 0]),
    ]
    for bytes in others { #expect(try check.findings(in: bytes) == [], "\(bytes.prefix(8))") }
  }

  // MARK: Other tools

  @Test("secret keys of minisign and signify are found by their line")
  func signatureTools() throws {
    let minisign = Base64.encode(Array("EdScB2".utf8) + patternBytes(152))
    let comment = "untrusted comment: minisign encrypted secret key\n"
    #expect(try Self.findings(comment + minisign + "\n") == [Self.encrypted(" at offset 49", "minisign")])
    let open = Base64.encode([0x45, 0x64, 0, 0, 0x42, 0x32] + patternBytes(152))
    #expect(try Self.findings(open) == [Self.plain(" at offset 0", "minisign")])
    func signify(_ rounds: UInt8) -> String {
      Base64.encode(Array("EdBK".utf8) + [0, 0, 0, rounds] + patternBytes(96))
    }
    #expect(try Self.findings(signify(42) + "\n") == [Self.encrypted(" at offset 0", "signify")])
    #expect(try Self.findings(signify(0) + "\n") == [Self.plain(" at offset 0", "signify")])
    for text in [String(minisign.dropLast(4)), "A" + minisign, "RWRTY0Iy", minisign.replacing("=", with: "A")] {
      #expect(try Self.findings(text) == [])
    }
  }

  @Test("PuTTY's private keys are found by their header")
  func putty() throws {
    func key(_ encryption: String, end: String = "\n") -> String {
      ["PuTTY-User-Key-File-3: ssh-ed25519", "Encryption: \(encryption)", "Comment: me", "Public-Lines: 2", "AAAA"]
        .joined(separator: end)
    }
    #expect(try Self.findings(key("none")) == [Self.plain(" at offset 0", "PuTTY")])
    #expect(try Self.findings(key("none", end: "\r\n")) == [Self.plain(" at offset 0", "PuTTY")])
    #expect(try Self.findings(key("aes256-cbc")) == [Self.encrypted(" at offset 0", "PuTTY")])
    #expect(try Self.findings("PuTTY-User-Key-File-2: \0Encryption: \0Comment: \0Public-Lines: ") == [])
  }
}
