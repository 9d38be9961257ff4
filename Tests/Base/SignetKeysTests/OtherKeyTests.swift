import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@Suite("what is no key that Signet reads")
struct OtherKeyTests {
  private static let pem = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
    -----END PUBLIC KEY-----

    """
  private static let minisign = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"

  private let minisign = Self.minisign

  /// The hint for a key that signs in a way of its own depends on the half that was asked for.
  private static let own = (toVerify: "its own program", toSign: "signet keygen --out PATH")

  private static func publicKey(_ content: [UInt8]) throws -> PublicKey {
    let content = SecretBytes(content)
    return try OtherKey.explaining(content, isToSign: false) { () throws(SignetError) in try PublicKey(file: content)
    }
  }

  /// Both halves read the same content: what is wrong with it does not depend on the half that was asked for.
  private static func check(
    _ content: [UInt8], _ code: SignetError.Code, _ message: String, _ hint: String, _ comment: Comment
  ) {
    let isOwn = hint == own.toSign
    for (read, hint) in [
      ({ _ = try publicKey(content) }, isOwn ? own.toVerify : hint),
      ({ _ = try TestKeys.load(content) }, hint),
    ] as [(() throws -> Void, String)] {
      let error = expectError(code, comment) { try read() }
      #expect(error?.message == message, comment)
      #expect(error?.hint?.contains(hint) == true, comment)
    }
  }

  @Test("a key of another program is named, with what to do")
  func programs() throws {
    let armor =
      "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZvrbGxYJKwYBBAHaRw8BAQdA\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n"
    let own = Self.own.toSign
    for (text, message, hint) in [
      (armor, "is a key of OpenPGP", own),
      (armor.replacingOccurrences(of: "PUBLIC", with: "PRIVATE"), "is a key of OpenPGP", own),
      (armor.replacingOccurrences(of: "PUBLIC KEY BLOCK", with: "SIGNATURE"), "is data of OpenPGP", own),
      ("untrusted comment: minisign public key E7620F1842B4E81F\n\(minisign)\n", "is a key of minisign", own),
      ("untrusted comment: minisign encrypted secret key\nRWRTY0IyAAAA\n", "is a secret key of minisign", own),
      ("untrusted comment: signify public key\n\(minisign)\n", "is a key of signify", own),
      ("untrusted comment: signify secret key\nRWRCSwAAAAA\n", "is a secret key of signify", own),
      ("\(minisign)\n", "is a key of minisign or signify", own),
      ("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", "is a key of PuTTY", "puttygen OLD"),
      (
        "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----\n", "is in the form of RFC 4716",
        "ssh-keygen -i"
      ),
      (
        "-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED SIGSTORE PRIVATE KEY-----\n",
        "is a key that cosign has encrypted", own
      ),
      ("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\"}", "is a JSON Web Key", "PEM"),
      ("sk-ssh-ed25519@openssh.com AAAA ann\n", "has a type that is not supported", own),
      ("ssh-dss AAAA ann\n", "has a type that is not supported", own),
    ] {
      Self.check(Array(text.utf8), .keyUnsupported, message, hint, "\(text.prefix(40))")
    }
    // Packets of OpenPGP with a key, in the old and the new format: a public one of version 4 and a secret one of 6.
    for head in [[0x98, 0x33, 4], [0x99, 1, 2, 4], [0x95, 1, 2, 4], [0xc6, 0x33, 6], [0xc5, 0xc1, 9, 6]] as [[UInt8]]
    {
      Self.check(head + [UInt8](repeating: 7, count: 60), .keyUnsupported, "is a key of OpenPGP", own, "\(head)")
    }
    Self.check(
      [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2], .keyUnsupported, "is a key store of Java", "-deststoretype PKCS12", "JKS")
  }

  @Test("a file of PKCS#12 is named, and the next step gives a key that is read")
  func pkcs12() throws {
    let program = try #require(Program.find("openssl"), "make test installs openssl")
    let folder = try TemporaryFolder()
    func openssl(_ arguments: [String]) throws {
      let run = try Program.run(program, arguments, in: folder.path)
      #expect(run.status == 0, "openssl \(arguments): \(run.errors)")
    }
    try folder.write("empty.cnf", Array("[req]\ndistinguished_name=dn\n[dn]\n".utf8))
    try folder.write("key", Repository.bytes("keys/insecure-test-p256"), mode: 0o600)
    try openssl(["req", "-new", "-x509", "-config", "empty.cnf", "-key", "key", "-subj", "/CN=x", "-out", "pem"])
    try openssl(["pkcs12", "-export", "-in", "pem", "-inkey", "key", "-passout", "pass:secret", "-out", "OLD"])
    Self.check(
      try folder.read("OLD"), .keyUnsupported, "is a file of PKCS#12", "openssl pkcs12 -in OLD -nocerts -out KEY",
      "PKCS#12")
    let passwords = ["-passin", "pass:secret", "-passout", "pass:other"]
    try openssl(["pkcs12", "-in", "OLD", "-nocerts", "-out", "KEY"] + passwords)
    #expect(try TestKeys.load(folder.read("KEY"), "other").publicKey == TestKeys.publicKey("p256"))
    try openssl(["pkcs12", "-in", "OLD", "-nokeys", "-out", "CERTIFICATES"] + passwords)
    #expect(try Certificate.all(in: SecretBytes(folder.read("CERTIFICATES"))).count == 1)
  }

  /// Texts that were changed on their way, and the words about them.
  private static let changed: [(text: [UInt8], message: String)] = [
    ([0xef, 0xbb, 0xbf] + Array(pem.utf8), "begins with a byte-order mark"),
    ([0xff, 0xfe] + pem.utf8.flatMap { [$0, 0] }, "is text in UTF-16"),
    ([0xfe, 0xff] + pem.utf8.flatMap { [0, $0] }, "is text in UTF-16"),
    (pem.utf8.flatMap { [$0, 0] }, "is text in UTF-16"),
    (pem.utf8.flatMap { [0, $0] }, "is text in UTF-16"),
    (Array(pem.replacingOccurrences(of: "\n", with: "\\n").utf8), "has the two characters \\n where lines end"),
    (Array(pem.replacingOccurrences(of: "\n", with: "\\r\\n").utf8), "has the two characters \\n where lines end"),
    (Array(pem.replacingOccurrences(of: "\n", with: " ").utf8), "has all its lines in one"),
    (Array(pem.replacingOccurrences(of: "\n", with: "").utf8), "has all its lines in one"),
    (
      Array(pem.split(separator: "\n").map { "  \($0)\n" }.joined().utf8),
      "has something before -----BEGIN in its line"
    ),
    (
      Array(pem.split(separator: "\n").map { "\t\($0)\n" }.joined().utf8),
      "has something before -----BEGIN in its line"
    ),
    (Array("\"\(pem)".utf8), "has something before -----BEGIN in its line"),
    (Array(" \(pem)".utf8), "has something before -----BEGIN in its line"),
  ]

  @Test("a key whose text was changed on its way is named, and the next step gives the key")
  func texts() throws {
    let folder = try TemporaryFolder()
    let expected = try PublicKey(text: pem)
    for (text, message) in Self.changed {
      let comment: Comment = "\(message): \(String(decoding: text.prefix(40), as: UTF8.self))"
      for read in [
        { _ = try Self.publicKey(text) }, { _ = try TestKeys.load(text) },
      ] as [() throws -> Void] {
        let error = expectError(.keyMalformed, comment) { try read() }
        #expect(error?.message == message, comment)
        let command = try #require(error?.hint?.split(separator: ":", maxSplits: 1).last)
        try folder.write("OLD", text)
        let run = try Program.run("/bin/sh", ["-c", String(command)], in: folder.path)
        #expect(run.status == 0, "\(comment): \(run.errors)")
        #expect(try PublicKey(file: SecretBytes(folder.read("NEW"))) == expected, comment)
      }
    }
  }

  private let pem = Self.pem

  @Test("text around a block is nobody's fault")
  func around() throws {
    let expected = try PublicKey(text: pem)
    for text in [
      "Bag Attributes\n    localKeyID: 01\n\(pem)", "\(pem)\n\n", "untrusted comment: no\n\(pem)", "\n\(pem)",
    ] {
      #expect(try PublicKey(file: SecretBytes(Array(text.utf8))) == expected)
    }
  }

  @Test("a key as an argument that was changed is read as a key, and not as the name of a file")
  func arguments() {
    let line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBm/RAlphM3+hUG6wWfcO5bIUIaqMLa2ywxcOK1wMWbh"
    for text in [pem, " \(pem)", "\"\(pem)\"", "\u{feff}\(pem)", pem.replacingOccurrences(of: "\n", with: "\\n")]
      + [line, " \(line)", "\"\(line)\"", Self.minisign]
    {
      #expect(PublicKey.isText(text) || OtherKey.isText(text), "\(text.prefix(40))")
    }
    #expect(throws: Never.self) { _ = try PublicKey(text: " \(line) ann") }
    for text in ["publisher.pub", "./-----", "keys/MCowBQYDK2VwAyEA", "abcd", "a b", ""] {
      #expect(!PublicKey.isText(text) && !OtherKey.isText(text), "\(text)")
    }
  }
}
