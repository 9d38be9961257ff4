import Foundation
import SignetCrypto
import SignetKeys
import SignetSystem
import Testing

/// A certificate authority for one test, made by the openssl program: what Signet reads was written by another.
public final class TestAuthority {
  private let folder: TemporaryFolder
  private let openssl: String
  /// The authority's own certificate.
  public let certificate: Certificate

  /// Makes a root.
  public init(_ subject: String = "/C=DE/O=Example/CN=Root") throws {
    folder = try TemporaryFolder()
    openssl = try #require(Program.find("openssl"), "make test installs openssl")
    try folder.write("ca.key", Self.pem(PrivateKey.generate(.p256)), mode: 0o600)
    try folder.write("empty.cnf", Array("[req]\ndistinguished_name=dn\n[dn]\n".utf8))
    try Self.run(
      openssl, folder,
      [
        "req", "-new", "-x509", "-config", "empty.cnf", "-key", "ca.key", "-subj", subject, "-days", "3650",
        "-outform",
        "DER", "-out", "ca.der", "-addext", "basicConstraints=critical,CA:TRUE", "-addext",
        "keyUsage=critical,keyCertSign,cRLSign", "-addext", "subjectKeyIdentifier=hash",
      ])
    certificate = try Certificate(der: folder.read("ca.der"))
  }

  /// Takes a key that another authority has certified as that of an authority.
  public init(_ key: PrivateKey, _ certificate: Certificate) throws {
    folder = try TemporaryFolder()
    openssl = try #require(Program.find("openssl"), "make test installs openssl")
    try folder.write("ca.key", Self.pem(key), mode: 0o600)
    try folder.write("empty.cnf", Array("[req]\ndistinguished_name=dn\n[dn]\n".utf8))
    self.certificate = certificate
  }

  /// What an authority's certificate says of it; for ``certify(_:_:names:serial:extensions:)``.
  public static let authorityExtensions = [
    "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign", "subjectKeyIdentifier=hash",
    "authorityKeyIdentifier=keyid",
  ]

  /// Certifies a key.
  ///
  /// - Parameters:
  ///   - names: subject alternative names as openssl has them, such as `email:a@example.com`.
  ///   - serial: the serial number in decimal.
  ///   - extensions: lines that take the place of the usual ones.
  public func certify(
    _ key: PrivateKey, _ subject: String = "/C=DE/O=Example/CN=Signer", names: [String] = [], serial: Int = 4711,
    extensions: [String] = [
      "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature",
      "extendedKeyUsage=critical,codeSigning", "subjectKeyIdentifier=hash", "authorityKeyIdentifier=keyid",
    ]
  ) throws -> Certificate {
    try folder.write("leaf.key", Self.pem(key), mode: 0o600)
    let lines = extensions + (names.isEmpty ? [] : ["subjectAltName=\(names.joined(separator: ","))"])
    try folder.write("leaf.ext", Array(lines.joined(separator: "\n").utf8))
    try Self.run(
      openssl, folder,
      ["req", "-new", "-config", "empty.cnf", "-key", "leaf.key", "-subj", subject, "-out", "leaf.csr"])
    // The authority's key and certificate in PEM.
    let encoded = Data(certificate.der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    try folder.write("ca.pem", Array("-----BEGIN CERTIFICATE-----\n\(encoded)\n-----END CERTIFICATE-----\n".utf8))
    try Self.run(
      openssl, folder,
      [
        "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "\(serial)", "-days",
        "365", "-extfile", "leaf.ext", "-outform", "DER", "-out", "leaf.der",
      ])
    return try Certificate(der: folder.read("leaf.der"))
  }

  private static func pem(_ key: PrivateKey) throws -> [UInt8] {
    try key.unencrypted().withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  private static func run(_ openssl: String, _ folder: TemporaryFolder, _ arguments: [String]) throws {
    let result = try Program.run(openssl, arguments, in: folder.path)
    try #require(result.status == 0, "\(arguments)\n\(result.errors)")
  }
}
