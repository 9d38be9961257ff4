import Foundation
import OtherSignatures
import SignetBase
import TestSupport
import Testing

/// Signatures of other programs are named, and what they say of themselves is read.
struct OtherSignatureTests {
  static func claims(_ signature: OtherSignature?) -> [String]? {
    signature?.claims.map { "\($0.name) \($0.text)" }
  }

  /// The bytes between the lines of an armored text.
  private static func body(_ text: String) throws -> [UInt8] {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") && !$0.hasPrefix("=") }
    return Array(try #require(Data(base64Encoded: lines.joined())))
  }

  static func read(_ text: String) -> OtherSignature? { OtherSignature(Array(text.utf8)) }

  @Test("minisign: the number of the key as minisign shows it, and the comment that the key has signed")
  func minisign() {
    let signature = Self.read(SampleSignatures.minisign)
    #expect(signature?.format == .minisign)
    #expect(Self.claims(signature) == ["key 213BA853B2B539BA", "comment release 1.2"])
    #expect(Self.read(SampleSignatures.minisign.replacing("\n", with: "\r\n")).map { $0.claims.count } == 2)
  }

  @Test("signify: the number of the key, and the comment")
  func signify() {
    let signature = Self.read(SampleSignatures.signify)
    #expect(signature?.format == .signify)
    #expect(Self.claims(signature) == ["key C8226DF2BB8F509B", "comment verify with sg.pub"])
  }

  @Test("ssh-keygen: the key's fingerprint as OpenSSH shows it, and the namespace")
  func ssh() {
    let signature = Self.read(SampleSignatures.ssh)
    #expect(signature?.format == .ssh)
    #expect(
      Self.claims(signature) == [
        "key ssh-ed25519 SHA256:SLxWv9wkHIM7pLwBR7zuEPJXv+4aNfl/SndKFrckQMs", "namespace file", "digest sha512",
      ])
  }

  @Test("OpenPGP: the fingerprint and the time, armored, in packets, several, and below a text")
  func openPGP() throws {
    let expected = ["key FE2C2E3962FF759F820654F783FDF1DADDE929C1", "made 2026-11-28T02:00:01Z"]
    let armored = Self.read(SampleSignatures.openPGP)
    #expect(armored?.format == .openPGP)
    #expect(Self.claims(armored) == expected)
    let packet = try Self.body(SampleSignatures.openPGP)
    #expect(Self.claims(OtherSignature(packet)) == expected)
    #expect(Self.claims(OtherSignature(packet + packet)) == expected + expected)
    let below = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nhello\n" + SampleSignatures.openPGP
    #expect(Self.claims(Self.read(below)) == expected + ["content in it"])
    // Bytes that only begin as a packet are another file.
    #expect(OtherSignature(packet + [0]) == nil)
    #expect(OtherSignature(Array(packet.dropLast())) == nil)
  }

  @Test("CMS: the certificates, and where the content is, in PEM and in DER")
  func cms() throws {
    let certificate = "certificate CN=Somebody (serial 7859959 5d)"
    let pem = Self.read(SampleSignatures.cms)
    #expect(pem?.format == .cms)
    let claims = try #require(Self.claims(pem))
    #expect(claims.count == 3 && claims[0] == "encoding PEM" && claims[2] == "content beside it")
    #expect(claims[1].hasPrefix(certificate.prefix(23)))
    let der = OtherSignature(try Self.body(SampleSignatures.cms))
    #expect(Self.claims(der) == ["encoding DER"] + claims.dropFirst())
    let mail = Self.read(
      "MIME-Version: 1.0\nContent-Type: multipart/signed; protocol=\"application/x-pkcs7-signature\"\n")
    #expect(Self.claims(mail) == ["encoding S/MIME"])
  }

  @Test("cosign before Sigstore's bundles: base64 alone, and an object with it")
  func cosign() {
    let base64 = Data(repeating: 0x30, count: 71).base64EncodedString()
    #expect(Self.read(base64 + "\n")?.format == .base64)
    #expect(Self.read("{\"base64Signature\": \"\(base64)\", \"cert\": \"\"}")?.format == .cosignBundle)
    // A digest in base64 is no signature, and neither is an object with something else.
    #expect(Self.read(Data(repeating: 1, count: 32).base64EncodedString()) == nil)
    #expect(Self.read("{\"signature\": \"\(base64)\"}") == nil)
  }

  @Test("cosign today: a bundle over a bare digest, with the digest; signify with its text; a message of GnuPG")
  func holding() {
    let bundle = """
      {"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json", "verificationMaterial": {"publicKey": {"hint": "x"}},
      "messageSignature": {"messageDigest": {"algorithm": "SHA2_256", "digest": "AAEC"}, "signature": "AAEC"}}
      """
    let signature = Self.read(bundle)
    #expect(signature?.format == .sigstoreBundle)
    #expect(Self.claims(signature) == ["signature 3 bytes over a bare digest", "sha256 000102"])
    #expect(
      signature?.command(verifying: "a", signature: "b")
        == "signet verify a --signature b --format message --key KEY.pub")
    #expect(Self.claims(Self.read(SampleSignatures.signify + "SHA256 (a) = 0\n"))?.last == "content in it")
    #expect(Self.claims(OtherSignature([0xa3, 1] + [UInt8](repeating: 7, count: 20))) == ["content in it"])
  }

  @Test(
    "anything else has no name, however it begins",
    arguments: [
      "", "x", "untrusted comment: verify with", "untrusted comment: x\nRWRTY0Iy\n",
      "-----BEGIN PGP SIGNATURE-----\n\n-----END PGP SIGNATURE-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----",
      "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----", "PK\u{3}\u{4}", "{}", "[1]",
    ])
  func others(text: String) { #expect(Self.read(text) == nil) }

  @Test("no beginning of a signature, and no changed byte, ends the process")
  func hostile() throws {
    var texts = [
      SampleSignatures.minisign, SampleSignatures.signify, SampleSignatures.ssh, SampleSignatures.openPGP,
      SampleSignatures.cms,
    ].map { Array($0.utf8) }
    texts += [
      try Self.body(SampleSignatures.openPGP), try Self.body(SampleSignatures.cms),
      try Self.body(SampleSignatures.ssh),
    ]
    for text in texts {
      for count in Extent.sample(of: Array(0..<text.count), oneOf: 7) {
        _ = OtherSignature(Array(text.prefix(count)))
      }
      for place in Extent.sample(of: Array(text.indices), oneOf: 7) {
        for byte: UInt8 in [0, 0x7f, 0x80, 0xff] {
          var changed = text
          changed[place] = byte
          _ = OtherSignature(changed)
        }
      }
    }
  }

  @Test("a signature in text that breaks off is named as one, and has no command")
  func cutOff() throws {
    for (text, format) in [
      (SampleSignatures.ssh, OtherSignature.Format.ssh), (SampleSignatures.openPGP, .openPGP),
    ] {
      for count in [text.utf8.count / 2, 40] {
        let signature = Self.read(String(text.prefix(count)))
        #expect(signature?.format == format)
        #expect(signature?.isCutOff == true)
        #expect(signature?.command(verifying: "a", signature: "b") == nil)
      }
      #expect(Self.read(text)?.isCutOff == false)
    }
  }

  @Test("the command names the files as words of the shell, and no name that a signature chose could be an option")
  func commands() throws {
    func command(_ text: String) throws -> String {
      let signature = try #require(Self.read(text))
      return try #require(signature.command(verifying: "a b", signature: "a b.sig"))
    }
    #expect(try command(SampleSignatures.minisign) == "signet verify 'a b' --signature 'a b.sig' --key KEY.pub")
    #expect(try command(SampleSignatures.openPGP) == "gpg --verify 'a b.sig' 'a b'")
    #expect(
      try command(SampleSignatures.ssh)
        == "signet verify 'a b' --signature 'a b.sig' --key ALLOWED_SIGNERS")
    // The same signature with a namespace of four other bytes.
    var body = try Self.body(SampleSignatures.ssh)
    let place = try #require(body.firstRange(of: Array("file".utf8)))
    body.replaceSubrange(place, with: Array("-f $".utf8))
    let hostile = "-----BEGIN SSH SIGNATURE-----\n\(Data(body).base64EncodedString())\n-----END SSH SIGNATURE-----\n"
    #expect(Self.claims(Self.read(hostile))?[1] == "namespace -f $")
    #expect(try command(hostile).hasSuffix(" --format ssh:NAMESPACE"))
  }
}

/// Signatures beside a file and in it.
struct FoundSignatureTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("signatures are found beside a file by the endings that their programs use")
  func beside() throws {
    let file = try folder.write("tool", Array("hello\n".utf8))
    #expect(OtherSignature.beside(file).isEmpty)
    _ = try folder.write("tool.minisig", Array(SampleSignatures.minisign.utf8))
    _ = try folder.write("tool.asc", Array(SampleSignatures.openPGP.utf8))
    _ = try folder.write("tool.p7s", Array(SampleSignatures.cms.utf8))
    _ = try folder.write("tool.sig", Array("no signature".utf8))
    #expect(OtherSignature.beside(file).map(\.signature.format) == [.minisign, .openPGP, .cms])
    #expect(OtherSignature.beside(file).map(\.path) == [".minisig", ".asc", ".p7s"].map { file + $0 })
  }

  @Test("a bare signature is named by its size where its name or somebody says that it is one")
  func raw() throws {
    let ecdsa: [UInt8] =
      [0x30, 70] + [2, 33, 0] + [UInt8](repeating: 0x81, count: 32) + [2, 33, 0]
      + [UInt8](repeating: 0x82, count: 32)
    for (bytes, kind, command) in [
      (ecdsa, "ECDSA", "signet verify tool --key KEY.pub --format raw"),
      ([UInt8](repeating: 0x81, count: 64), "Ed25519", "signet verify tool --key KEY.pub --format raw"),
      ([UInt8](repeating: 0x81, count: 256), "RSA with 2048 bits", "signet verify tool --key KEY.pub --format raw"),
    ] {
      let named = OtherSignature(file: try folder.write("tool.sig", bytes))
      #expect(named?.format == .raw)
      #expect(named?.claims.first == .init(name: "kind", text: kind))
      #expect(named?.command(verifying: "tool", signature: "tool.sig")?.hasPrefix(command) == true)
      let other = try folder.write("tool.bin", bytes)
      #expect(OtherSignature(file: other) == nil)
      #expect(OtherSignature(file: other, isSaid: true)?.format == .raw)
    }
    for count in [0, 63, 65, 257] {
      #expect(OtherSignature(file: try folder.write("tool.sig", [UInt8](repeating: 0x81, count: count))) == nil)
    }
    #expect(OtherSignature(file: try folder.write("tool.sig", Array(ecdsa.dropLast()))) == nil)
  }

  @Test("the command names the key that was given, if the signature's program reads it")
  func keys() throws {
    let minisign = try folder.write(
      "min.pub", Array("untrusted comment: k\nRWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n".utf8))
    let ssh = try folder.write("id.pub", Array("ssh-ed25519 AAAA ann\n".utf8))
    let pgp = try folder.write("gpg.asc", Array("-----BEGIN PGP PUBLIC KEY BLOCK-----\n".utf8))
    let pem = try folder.write("k.pub", Repository.bytes("keys/insecure-test-ed25519.pub"))
    func command(_ text: String, _ key: String) -> String? {
      OtherSignature(Array(text.utf8))?.command(verifying: "a", signature: "b", key: SignerKey(key))
    }
    for text in [SampleSignatures.minisign, SampleSignatures.signify] {
      #expect(command(text, minisign) == "signet verify a --signature b --key \(minisign)")
      #expect(
        OtherSignature(Array(text.utf8))?.command(verifying: "a", signature: "a.sig", key: SignerKey(minisign))
          == "signet verify a --key \(minisign)")
    }
    // The name of the program is another one on Debian.
    #expect(
      command(SampleSignatures.signify + "text\n", minisign)?.hasSuffix(" -V -e -x b -p \(minisign) -m /dev/null")
        == true)
    #expect(
      command(SampleSignatures.openPGP, pgp)
        == "d=$(mktemp -d) && gpg --homedir \"$d\" -q --import \(pgp) && gpg --homedir \"$d\" --verify b a")
    #expect(command(SampleSignatures.ssh, ssh) == "signet verify a --signature b --key \(ssh) --format ssh")
    #expect(
      command(SampleSignatures.ssh, "ssh-ed25519 AAAA")
        == "signet verify a --signature b --key 'ssh-ed25519 AAAA' --format ssh")
    let text = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
    #expect(command(SampleSignatures.minisign, text) == "signet verify a --signature b --key \(text)")
    let clear = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nhello\n" + SampleSignatures.openPGP
    #expect(
      OtherSignature(Array(clear.utf8))?.command(verifying: "a", signature: "b")
        == "gpg --verify b && gpg --decrypt b | cmp - a")
    #expect(
      command(Data(repeating: 0x30, count: 71).base64EncodedString(), pem)?.hasSuffix("--key \(pem) --format raw")
        == true)
    // A key of another program is not put where it cannot be read.
    #expect(command(SampleSignatures.minisign, pem) == "signet verify a --signature b --key KEY.pub")
    #expect(command(SampleSignatures.openPGP, minisign) == "gpg --verify b a")
    #expect(SignerKey(try folder.write("text", Array("hello\n".utf8))) == nil)
    #expect(SignerKey(folder.file("absent")) == nil)
  }

  @Test("the command takes only a key that the signature's program reads")
  func accepted() throws {
    let minisign = try #require(SignerKey("RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"))
    #expect(OtherSignature(Array(SampleSignatures.minisign.utf8))?.accepts(minisign) == true)
    #expect(OtherSignature(Array(SampleSignatures.openPGP.utf8))?.accepts(minisign) == false)

    #expect(OtherSignature(Array(SampleSignatures.signify.utf8))?.accepts(minisign) == true)
  }

  @Test(
    "a file with the ending of a signature that holds none is told, and the file that a signature is about is found")
  func damaged() throws {
    let file = try folder.write("tool", Array("hello\n".utf8))
    #expect(OtherSignature.damaged(beside: file).isEmpty)
    let page = try folder.write("tool.minisig", Array("<html>404</html>".utf8))
    #expect(OtherSignature.damaged(beside: file) == [page])
    #expect(OtherSignature.artifact(of: page) == file)
    #expect(OtherSignature.artifact(of: try folder.write("other.asc", [])) == nil)
  }

  @Test("many signers in a Java archive are looked at once each", .timeLimit(.minutes(5)))
  func manySigners() throws {
    let made = try Shell.run(
      """
      python3 -c "import zipfile; z = zipfile.ZipFile('many.jar', 'w'); [z.writestr('META-INF/%060d.SF' % i, b'') for i in range(19900)]"
      """, in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    #expect(OtherSignature(inside: folder.file("many.jar")) == nil)
  }

  @Test("a pipe that is named as a signature is not read")
  func pipe() throws {
    let file = try folder.write("tool", [])
    #expect(mkfifo(folder.file("tool.sig"), 0o600) == 0)
    #expect(OtherSignature.beside(file).isEmpty)
  }

  @Test("a bundle of Apple is signed if it lists its files")
  func apple() throws {
    let list = URL(fileURLWithPath: folder.file("Player.app/Contents/_CodeSignature/CodeResources"))
    try FileManager.default.createDirectory(at: list.deletingLastPathComponent(), withIntermediateDirectories: true)
    #expect(OtherSignature(inside: folder.file("Player.app")) == nil)
    try Data("<plist/>".utf8).write(to: list)
    #expect(OtherSignature(inside: folder.file("Player.app"))?.format == .apple)
  }

  /// A Mach-O of 64 bits with these load commands, each of eight bytes.
  private func mach(_ commands: [UInt8]) -> [UInt8] {
    let head: [UInt8] =
      [0xcf, 0xfa, 0xed, 0xfe] + [UInt8](repeating: 0, count: 12) + [UInt8(commands.count), 0, 0, 0]
    return head + [UInt8(commands.count * 8), 0, 0, 0] + [UInt8](repeating: 0, count: 8)
      + commands.flatMap { [$0, 0, 0, 0, 8, 0, 0, 0] } + [UInt8](repeating: 0, count: 64)
  }

  @Test("a program of Apple is signed if a load command says so, and one of Windows if its directory does")
  func programs() throws {
    let signed = try folder.write("signed", mach([0x19, 0x1d]))
    #expect(OtherSignature(inside: signed)?.format == .apple)
    #expect(OtherSignature(inside: try folder.write("unsigned", mach([0x19, 0x02]))) == nil)
    let universal: [UInt8] = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 32, 0, 0, 1, 0]
    let both = try folder.write("both", universal + [UInt8](repeating: 0, count: 8) + mach([0x1d]))
    #expect(OtherSignature(inside: both)?.format == .apple)
    // The magic of a class of Java is the same: its version is no number of processors.
    #expect(
      OtherSignature(
        inside: try folder.write("Class", [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61] + [UInt8](repeating: 0, count: 99)))
        == nil)
    var windows = Array("MZ".utf8) + [UInt8](repeating: 0, count: 0x3a) + [0x40, 0, 0, 0]
    windows +=
      Array("PE\0\0".utf8) + [UInt8](repeating: 0, count: 20) + [0x0b, 0x02] + [UInt8](repeating: 0, count: 110)
    let directory = windows.count
    windows += [UInt8](repeating: 0, count: 128)
    #expect(OtherSignature(inside: try folder.write("plain.exe", windows)) == nil)
    windows[directory + 36] = 1
    #expect(OtherSignature(inside: try folder.write("signed.exe", windows))?.format == .authenticode)
  }

  @Test(
    "a Java archive is signed if it has a signature file with a block",
    .enabled(if: Program.find("jar") != nil, "needs jar"))
  func jar() throws {
    let made = try Shell.run(
      """
      mkdir -p META-INF && echo x > a && echo 'Signature-Version: 1.0' > META-INF/ALICE.SF && jar cfM plain.jar a META-INF && \
      echo x > META-INF/ALICE.EC && jar cfM signed.jar a META-INF
      """, in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    #expect(OtherSignature(inside: folder.file("plain.jar")) == nil)
    let signed = OtherSignature(inside: folder.file("signed.jar"))
    #expect(signed?.format == .jar)
    #expect(signed?.claims == [.init(name: "signer", text: "META-INF/ALICE.SF")])
  }
}
