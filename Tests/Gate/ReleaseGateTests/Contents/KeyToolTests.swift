import TestSupport
import Testing

@testable import ReleaseGate

/// Keys that other programs have made.
@Suite struct KeyToolTests {
  private static func run(_ name: String, _ arguments: [String], in folder: TemporaryFolder) throws {
    let program = try #require(Program.find(name), "make test installs \(name)")
    let result = try Program.run(program, arguments, in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// The kinds of keys that the rule finds in a file: `holds a private key: OpenSSH`.
  private static func kinds(_ name: String, in folder: TemporaryFolder) throws -> [String] {
    try ContentCheck(PrivateKeyRule.self).findings(in: folder.read(name)).map { finding in
      let parts = finding.split(separator: "; ")
      let message = parts[0].split(separator: ": ").last ?? ""
      return "\(message): \(parts[2].dropFirst("found ".count))"
    }
  }

  @Test(
    "openssl",
    arguments: [
      ("genrsa -out FILE 2048", "holds a private key: PKCS #8 in PEM"),
      ("genrsa -traditional -out FILE 2048", "holds a private key: RSA in PEM"),
      ("genrsa -traditional -aes128 -passout pass:word -out FILE 2048", "holds an encrypted private key: RSA in PEM"),
      ("ecparam -name prime256v1 -genkey -out FILE", "holds a private key: EC in PEM"),
      ("genpkey -algorithm X448 -out FILE", "holds a private key: PKCS #8 in PEM"),
      ("genpkey -algorithm ED25519 -outform DER -out FILE", "is a private key: PKCS #8 in DER"),
      (
        "genpkey -algorithm RSA -aes-256-cbc -pass pass:word -out FILE",
        "holds an encrypted private key: PKCS #8 in PEM"
      ),
    ])
  func openssl(command: String, found: String) throws {
    let folder = try TemporaryFolder()
    try Self.run("openssl", command.split(separator: " ").map { $0 == "FILE" ? "key" : String($0) }, in: folder)
    #expect(try Self.kinds("key", in: folder) == [found])
  }

  @Test("openssl's PKCS #12 holds a key, and one of certificates alone does not")
  func pkcs12() throws {
    let folder = try TemporaryFolder()
    try Self.run(
      "openssl",
      ["req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", "key", "-out", "cert", "-subj", "/CN=test"],
      in: folder)
    let store = ["pkcs12", "-export", "-passout", "pass:word", "-in", "cert"]
    try Self.run("openssl", store + ["-inkey", "key", "-out", "store"], in: folder)
    try Self.run("openssl", store + ["-nokeys", "-out", "certificates"], in: folder)
    #expect(try Self.kinds("key", in: folder) == ["holds a private key: PKCS #8 in PEM"])
    #expect(try Self.kinds("cert", in: folder) == [])
    #expect(try Self.kinds("store", in: folder) == ["is a key store with an encrypted private key: PKCS #12"])
    #expect(try Self.kinds("certificates", in: folder) == [])
  }

  @Test(
    "ssh-keygen",
    arguments: [
      (["-N", ""], "holds a private key: OpenSSH"),
      (["-N", "passphrase"], "holds an encrypted private key: OpenSSH"),
      (["-N", "", "-m", "PEM", "-t", "rsa"], "holds a private key: RSA in PEM"),
      (["-N", "", "-m", "PKCS8", "-t", "ecdsa"], "holds a private key: PKCS #8 in PEM"),
    ])
  func sshKeygen(arguments: [String], found: String) throws {
    let folder = try TemporaryFolder()
    try Self.run("ssh-keygen", ["-q", "-f", "key"] + arguments, in: folder)
    #expect(try Self.kinds("key", in: folder) == [found])
    #expect(try Self.kinds("key.pub", in: folder) == [])
  }

  @Test(
    "Java's key stores", .enabled(if: Program.find("keytool") != nil, "keytool is not installed"),
    arguments: [
      "JKS", "JCEKS", "PKCS12",
    ])
  func keytool(type: String) throws {
    let folder = try TemporaryFolder()
    let store = ["-keystore", "store", "-storetype", type, "-storepass", "password", "-noprompt"]
    try Self.run(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key", "-out", "cert", "-subj", "/CN=test"],
      in: folder)
    try Self.run("keytool", ["-importcert", "-alias", "root", "-file", "cert"] + store, in: folder)
    #expect(try Self.kinds("store", in: folder) == [], "only a certificate")
    try Self.run(
      "keytool",
      ["-genkeypair", "-alias", "mine", "-keyalg", "EC", "-dname", "CN=test", "-keypass", "password"] + store,
      in: folder)
    let name = type == "PKCS12" ? "PKCS #12" : type
    #expect(try Self.kinds("store", in: folder) == ["is a key store with an encrypted private key: \(name)"])
  }
}
