import Foundation
import SignetBase
import SignetCrypto
import SignetOCSP
import SignetSystem
import TestSupport
import Testing

/// A responder as OpenSSL has one, for an authority that has issued one certificate, and an authority above it.
struct Responder {
  let folder: TemporaryFolder
  let leaf: Certificate
  let issuer: Certificate
  let root: Certificate

  private static let configuration = """
    [req]
    distinguished_name = dn
    [dn]
    [ca]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign, cRLSign
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid
    [leaf]
    keyUsage = critical, digitalSignature
    extendedKeyUsage = codeSigning
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid
    [responder]
    keyUsage = critical, digitalSignature
    extendedKeyUsage = OCSPSigning
    noCheck = ignored
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("cnf", Array(Self.configuration.utf8))
    try Self.run(
      """
      issue() { # NAME SUBJECT SECTION NUMBER ISSUER
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key 2> /dev/null
        openssl req -new -config cnf -key $1.key -subj "/CN=$2" -out $1.csr
        if [ $5 = $1 ]; then openssl x509 -req -in $1.csr -signkey $1.key -set_serial $4 -days 30 -extfile cnf -extensions $3 -out $1.pem 2> /dev/null
        else openssl x509 -req -in $1.csr -CA $5.pem -CAkey $5.key -set_serial $4 -days 30 -extfile cnf -extensions $3 -out $1.pem 2> /dev/null; fi
      }
      issue root Root ca 11 root
      issue ca Team ca 12 root
      issue leaf Alice leaf 4660 ca
      issue good Responder responder 21 ca
      issue plain Plain leaf 22 ca
      issue above Above responder 23 root
      """, in: folder)
    leaf = try Self.certificate("leaf", in: folder)
    issuer = try Self.certificate("ca", in: folder)
    root = try Self.certificate("root", in: folder)
    try folder.write("request", StatusRequest(about: leaf, issuedBy: issuer).der)
  }

  /// What the authority knows of the certificate.
  enum Knowledge {
    case good
    case revoked(at: UnixTime, String)
    case nothing
  }

  private static func run(_ script: String, in folder: TemporaryFolder) throws {
    let run = try Shell.run("set -e\n\(script)", in: folder.path)
    try #require(run.status == 0, "\(run.output)\(run.errors)")
  }

  private static func certificate(_ name: String, in folder: TemporaryFolder) throws -> Certificate {
    try #require(try Certificate.all(in: SecretBytes(folder.read("\(name).pem"))).first)
  }

  /// The answer to Signet's request.
  ///
  /// - Parameters:
  ///   - signer: whose key signs it: `ca`, `good`, `plain` (not for this), `above` (certified by the root).
  ///   - options: more of OpenSSL's options; by default the answer is good for 7 days.
  func answer(_ knowledge: Knowledge, by signer: String = "good", _ options: String = "-ndays 7") throws -> [UInt8] {
    let far = "401231235959Z"
    let line =
      switch knowledge {
      case .good: "V\t\(far)\t\t1234\tunknown\t/CN=Alice\n"
      case .revoked(let time, let reason):
        "R\t\(far)\t\(Self.time(time)),\(reason)\t1234\tunknown\t/CN=Alice\n"
      case .nothing: ""
      }
    try folder.write("index", Array(line.utf8))
    try Self.run(
      """
      openssl ocsp -index index -CA ca.pem -rsigner \(signer).pem -rkey \(signer).key -reqin request -respout answer \
      \(options) > told 2>&1
      """, in: folder)
    return try folder.read("answer")
  }

  /// A response of the authority itself with the statements of several answers.
  func joined(_ answers: [UInt8]...) throws -> [UInt8] {
    var statements: [UInt8] = []
    for answer in answers {
      var outer = DERReader(answer)
      var fields = try Self.present(outer.sequence())
      _ = fields.element()
      var wrapped = try Self.present(fields.element(DERElement.constructed(0)))
      var basic = try Self.present(wrapped.sequence())
      _ = basic.oid()
      var content = DERReader(try Self.present(basic.octetString()))
      var response = try Self.present(content.sequence())
      var body = try Self.present(response.sequence())
      while body.nextTag != DERElement.sequence { _ = body.element() }
      statements += try Self.present(body.sequence()).rest
    }
    let time = DERWriter.element(DERElement.generalizedTime, Array("20261101000000Z".utf8))
    let body = DERWriter.sequence(
      DERWriter.element(DERElement.constructed(1), issuer.subject.der), time, DERWriter.sequence(statements))
    try folder.write("body", body)
    try Self.run("openssl dgst -sha256 -sign ca.key -out signature body", in: folder)
    let name: [UInt8] = [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
    let basic = DERWriter.sequence(body, name, DERWriter.bitString(try folder.read("signature")))
    let type: [UInt8] = [0x06, 0x09, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01]
    let bytes = DERWriter.sequence(type, DERWriter.element(DERElement.octetString, basic))
    return DERWriter.sequence([0x0a, 0x01, 0x00], DERWriter.element(DERElement.constructed(0), bytes))
  }

  /// The macro takes no mutating calls.
  private static func present<Value>(_ value: Value?) throws -> Value { try #require(value) }

  /// A time as OpenSSL's list of certificates has it: UTCTime.
  private static func time(_ time: UnixTime) -> String {
    let digits = "\(time)".filter(\.isNumber)
    return "\(digits.dropFirst(2).prefix(12))Z"
  }

  /// What the answers say of the certificate at a time.
  func check(_ answers: [UInt8]..., at time: UnixTime, lists: [RevocationList] = []) throws -> Bool {
    var verifier = CertificateChainVerifier(
      anchors: [root], intermediates: [issuer], revocationLists: lists, leastRSABits: 2048)
    let responses = StatusResponses(try answers.map { try StatusResponse(der: $0) })
    verifier.statements = responses
    _ = try verifier.verify(leaf, at: time)
    return try responses.check(leaf, issuedBy: issuer, for: verifier, at: time)
  }
}
