import Foundation
import Testing

/// A time-stamping authority as openssl has one, with a certificate below a CA of its own.
public struct OpenSSLClock: @unchecked Sendable {
  // Sendable: a folder is a path, and its files are used by one test.
  /// Where its keys and certificates are: `tsa.pem` and, above it, `ca.pem`.
  public let folder: TemporaryFolder

  private static let configuration = """
    [req]
    distinguished_name = dn
    [dn]
    [ca]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign
    subjectKeyIdentifier = hash
    [clock]
    keyUsage = critical, digitalSignature
    extendedKeyUsage = critical, timeStamping
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid
    [tsa]
    default_tsa = authority
    [authority]
    serial = serial
    signer_digest = sha256
    default_policy = 1.2.3.4.1
    other_policies = 1.2.3.4.5
    digests = sha256
    ess_cert_id_alg = sha256

    """

  /// - Parameter name: the name in its certificate.
  public init(_ name: String = "Clock") throws {
    folder = try TemporaryFolder()
    try folder.write("openssl.cnf", Array(Self.configuration.utf8))
    let key = "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out"
    try run(
      """
      \(key) ca.key 2> /dev/null && \(key) tsa.key 2> /dev/null && \
      openssl req -new -x509 -config openssl.cnf -extensions ca -key ca.key -subj '/CN=\(name) CA' -days 30 -out ca.pem && \
      openssl req -new -config openssl.cnf -key tsa.key -subj '/CN=\(name)' -out tsa.csr && \
      openssl x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -set_serial 77 -days 20 -extfile openssl.cnf \
      -extensions clock -out tsa.pem 2> /dev/null && printf 01 > serial
      """)
  }

  private func run(_ script: String) throws {
    let run = try Shell.run(script, in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  /// The answer to a request, both in DER. openssl declines what it cannot read.
  public func answer(to request: [UInt8]) throws -> [UInt8] {
    try folder.write("query", request)
    try run(
      "openssl ts -reply -config openssl.cnf -queryfile query -signer tsa.pem -inkey tsa.key -out reply 2> /dev/null")
    return try folder.read("reply")
  }
}
