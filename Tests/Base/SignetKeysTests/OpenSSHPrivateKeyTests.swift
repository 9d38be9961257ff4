import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetKeys

@Suite("private keys in OpenSSH's form")
struct OpenSSHPrivateKeyTests {
  private let folder: TemporaryFolder
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = try #require(Program.find("ssh-keygen"), "make test installs ssh-keygen")
  }

  private func run(_ arguments: [String]) throws {
    let run = try Program.run(program, ["-q"] + arguments, in: folder.path)
    #expect(run.status == 0, "ssh-keygen \(arguments): \(run.errors)")
  }

  /// Makes a key, and gives the text of its file.
  private func make(_ kind: [String], passphrase: String = "", name: String = "key") throws -> [UInt8] {
    try run(["-t"] + kind + ["-N", passphrase, "-C", "a comment", "-f", name])
    return try folder.read(name)
  }

  private func publicKey(_ name: String = "key") throws -> PublicKey {
    try PublicKey(file: SecretBytes(folder.read(name + ".pub")))
  }

  /// The content of the only block of a text.
  private static func content(_ text: [UInt8]) throws -> [UInt8] {
    try PEM.blocks(of: SecretBytes(text))[0].content.withBytes { Array(copying: $0) }
  }

  private static func text(_ content: [UInt8]) -> [UInt8] {
    PEM.encode("OPENSSH PRIVATE KEY", SecretBytes(content)).withBytes { Array(copying: $0) }
  }

  @Test(
    "a key without a passphrase signs for the public half that ssh-keygen writes",
    arguments: [["ed25519"], ["ecdsa", "-b", "256"], ["ecdsa", "-b", "384"], ["ecdsa", "-b", "521"]])
  func read(kind: [String]) throws {
    // The length of the comment decides about the padding, and the number of an ECDSA key may begin with zeros.
    for number in 0..<8 {
      let name = "key\(number)"
      try run(["-t"] + kind + ["-N", "", "-C", String(repeating: "c", count: number), "-f", name])
      let key = try TestKeys.load(folder.read(name))
      let expected = try publicKey(name)
      #expect(key.publicKey == expected)
      guard case .valid = expected.verify(try key.sign([7]), over: [7]) else {
        Issue.record("the key does not sign for its public half")
        continue
      }
    }
  }

  @Test("a key of ssh-keygen counts as a private key wherever one must not be")
  func held() throws {
    let text = try make(["ed25519"])
    #expect(PrivateKey.isHeld(in: SecretBytes(text)))
    #expect(try PrivateKey.isHeld(in: SecretBytes(Self.content(text))))
    expectError(.keyPrivateForPublic) { _ = try PublicKey(file: SecretBytes(text)) }
  }

  @Test("the next step for a key with a passphrase, and for an RSA key, gives a key that is read", .slow)
  func otherForms() throws {
    let encrypted = expectError(.keyEncryptionUnsupported) {
      _ = try TestKeys.load(make(["ed25519"], passphrase: "secret"), "secret")
    }
    #expect(encrypted?.hint?.hasSuffix("ssh-keygen -p -N '' -f COPY") == true)
    try run(["-p", "-P", "secret", "-N", "", "-f", "key"])
    #expect(try TestKeys.load(folder.read("key")).publicKey == publicKey())

    for (name, kind, passphrase, code) in [
      ("rsa", ["rsa", "-b", "3072"], "", .keyUnsupported),
      ("locked", ["rsa", "-b", "3072"], "secret", .keyEncryptionUnsupported),
      ("point", ["ecdsa", "-b", "256"], "secret", .keyEncryptionUnsupported),
    ] as [(String, [String], String, SignetError.Code)] {
      let error = expectError(code) {
        _ = try TestKeys.load(make(kind, passphrase: passphrase, name: name), passphrase)
      }
      #expect(error?.hint?.hasSuffix("ssh-keygen -p -m PKCS8 -f COPY") == true)
      try run(["-p", "-m", "PKCS8", "-P", passphrase, "-N", passphrase, "-f", name])
      #expect(try TestKeys.load(folder.read(name), passphrase).publicKey == publicKey(name))
    }
  }

  @Test("a key of a type that cannot sign here is named")
  func otherTypes() throws {
    let error = expectError(.keyUnsupported) { _ = try TestKeys.load(make(["dsa"])) }
    #expect(error?.found == "ssh-dss")
    #expect(error?.hint?.contains("signet keygen") == true)
  }

  @Test("a key that was cut is malformed, and one with another byte is malformed or of another type, or the same key")
  func damaged() throws {
    let content = try Self.content(make(["ed25519"]))
    let expected = try publicKey()
    for count in 0..<content.count {
      expectError(.keyMalformed) { _ = try TestKeys.load(Self.text(Array(content.prefix(count)))) }
    }
    expectError(.keyMalformed) { _ = try TestKeys.load(Self.text(content + [1])) }
    var readable = 0
    for index in content.indices {
      for bit in [UInt8(1), 0x80] {
        var other = content
        other[index] ^= bit
        do {
          #expect(try TestKeys.load(Self.text(other)).publicKey == expected)
          readable += 1
        } catch let error as SignetError {
          #expect(
            [.keyMalformed, .keyUnsupported, .keyEncryptionUnsupported, .keyAmbiguous].contains(error.code),
            "byte \(index): \(error)")
        }
      }
    }
    // The comment is for people, and ssh-keygen reads it as it is.
    #expect(readable == 2 * "a comment".utf8.count)
  }

  @Test("a seed that is not that of the public half is refused")
  func foreignSeed() throws {
    let content = try Self.content(make(["ed25519"]))
    let other = try publicKey().der.suffix(32)
    let places = content.indices.filter { content[$0...].starts(with: other) }
    // The public half is in the file three times: alone, in the private half, and behind the seed.
    #expect(places.count == 3)
    var changed = content
    changed[places[2] - 1] ^= 1
    let error = expectError(.keyMalformed) { _ = try TestKeys.load(Self.text(changed)) }
    #expect(error?.message == "names a public half that is not its own")
  }
}
