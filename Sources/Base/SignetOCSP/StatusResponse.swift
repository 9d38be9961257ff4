package import SignetBase
package import SignetCrypto
internal import SignetNames

/// An answer about the revocation of certificates, signed for their issuer (OCSPResponse: RFC 6960, section 4.2.1).
///
/// Reading it proves nothing. ``StatusResponses`` says what holds.
package struct StatusResponse: Sendable {
  /// Who claims to have signed it.
  package enum Responder: Sendable {
    case name(DistinguishedName)
    /// The SHA-1 of the bits of its key.
    case key([UInt8])
  }

  /// The whole response in DER.
  package let der: [UInt8]
  package let responder: Responder
  /// When it was signed.
  package let producedAt: UnixTime
  /// What it says, of one certificate or of several.
  package let statements: [StatusStatement]
  /// The certificates that it carries, in DER.
  let certificates: [[UInt8]]
  /// The signed bytes.
  let body: [UInt8]
  let algorithm: CertificateSignatureAlgorithm
  let signature: [UInt8]
  /// Why it cannot be applied as written; nil if it can.
  let objection: String?

  /// The maximum length of a response in bytes; usual ones have 300 to 5,000.
  package static let sizeLimit = 64 << 10
  /// The most certificates that it may carry, and the most that it may speak about.
  private static let (certificateLimit, statementLimit) = (8, 64)
  /// 1.3.6.1.5.5.7.48.1.1 (id-pkix-ocsp-basic)
  private static let basic = OID.other(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01)

  /// Reads a response.
  ///
  /// - Throws: `ocsp.malformed`; `ocsp.unsupported` for another type; `ocsp.rejected` for an answer that declines.
  package init(der: [UInt8]) throws(SignetError) {
    guard der.count <= Self.sizeLimit else { throw Self.malformed("is longer than \(Self.sizeLimit) bytes") }
    self.der = der
    var outer = DERReader(der)
    guard var answer = outer.sequence(), outer.isAtEnd, let code = answer.element(DERElement.enumerated)?.rest,
      code.count == 1
    else { throw Self.malformed("is not an answer of a responder in DER") }
    guard code[0] == 0 else {
      throw SignetError(
        .statusRejected, "OCSP response", "is an answer by which the responder declines",
        expected: "successful", found: Self.reasons[code[0]] ?? "\(code[0])")
    }
    guard var wrapped = answer.element(DERElement.constructed(0)), answer.isAtEnd, var bytes = wrapped.sequence(),
      wrapped.isAtEnd, let type = bytes.oid(), let content = bytes.octetString(), bytes.isAtEnd
    else { throw Self.malformed("is an answer without a response") }
    guard type == Self.basic else {
      throw SignetError(
        .statusUnsupported, "OCSP response", "is of another type", expected: "\(Self.basic) (basic)", found: "\(type)"
      )
    }
    var inner = DERReader(content)
    guard var response = inner.sequence(), inner.isAtEnd else { throw Self.malformed("is no basic response") }
    var signed = response
    guard let body = response.encoded(DERElement.sequence), var fields = signed.sequence(),
      let algorithm = response.encoded(DERElement.sequence).flatMap({ CertificateSignatureAlgorithm(der: $0) }),
      let signature = response.bitString()
    else { throw Self.malformed("has a damaged signature, or none") }
    (self.body, self.algorithm, self.signature) = (body, algorithm, signature)
    guard let certificates = Self.certificates(&response), response.isAtEnd else {
      throw Self.malformed("carries damaged certificates, or more than \(Self.certificateLimit)")
    }
    self.certificates = certificates
    guard Self.skipVersion(&fields) else { throw Self.malformed("is not of version 1") }
    guard let responder = Self.responder(&fields), let producedAt = fields.generalizedTime() else {
      throw Self.malformed("does not say who has signed it, or when")
    }
    (self.responder, self.producedAt) = (responder, producedAt)
    guard var list = fields.sequence(), !list.isAtEnd else { throw Self.malformed("is about no certificate") }
    var statements: [StatusStatement] = []
    while !list.isAtEnd {
      guard statements.count < Self.statementLimit, let statement = StatusStatement(&list) else {
        throw Self.malformed("has a damaged statement, or more than \(Self.statementLimit)")
      }
      statements.append(statement)
    }
    guard statements.allSatisfy({ $0.id.algorithm != nil }) else {
      throw SignetError(
        .statusUnsupported, "OCSP response", "names certificates by digests that are not known",
        expected: "SHA-1 or SHA-256", hint: "ask the responder with signet trust staple POLICY FILE")
    }
    self.statements = statements
    guard let objection = StatusExtensions.objection(&fields, DERElement.constructed(1)), fields.isAtEnd else {
      throw Self.malformed("has damaged extensions")
    }
    self.objection = objection ?? Self.objection(to: algorithm)
  }

  /// OCSPResponseStatus.
  private static let reasons: [UInt8: String] = [
    1: "malformedRequest", 2: "internalError", 3: "tryLater", 5: "sigRequired", 6: "unauthorized",
  ]

  /// The certificates, if there are any.
  private static func certificates(_ response: inout DERReader) -> [[UInt8]]? {
    guard response.nextTag == DERElement.constructed(0) else { return [] }
    guard var wrapped = response.element(DERElement.constructed(0)), var list = wrapped.sequence(), wrapped.isAtEnd
    else { return nil }
    var certificates: [[UInt8]] = []
    while !list.isAtEnd {
      guard certificates.count < certificateLimit, let each = list.encoded(DERElement.sequence) else { return nil }
      certificates.append(each)
    }
    return certificates
  }

  /// Version 1 is the default, which DER leaves out; some responders write it.
  private static func skipVersion(_ fields: inout DERReader) -> Bool {
    guard fields.nextTag == DERElement.constructed(0) else { return true }
    guard var wrapped = fields.element(DERElement.constructed(0)) else { return false }
    return wrapped.unsignedInteger(atMost: 0) == 0 && wrapped.isAtEnd
  }

  private static func responder(_ fields: inout DERReader) -> Responder? {
    if fields.nextTag == DERElement.constructed(1) {
      guard var wrapped = fields.element(DERElement.constructed(1)), let name = wrapped.encoded(DERElement.sequence),
        wrapped.isAtEnd
      else { return nil }
      return DistinguishedName(der: name).map { .name($0) }
    }
    guard var wrapped = fields.element(DERElement.constructed(2)), let digest = wrapped.octetString(),
      digest.count == 20,
      wrapped.isAtEnd
    else { return nil }
    return .key(digest)
  }

  private static func objection(to algorithm: CertificateSignatureAlgorithm) -> String? {
    switch algorithm.scheme {
    case .weak(let name), .unsupported(let name): "is signed with an algorithm that is not accepted: \(name)"
    case .rsa, .rsaPSS, .ecdsa, .ed25519: nil
    }
  }

  private static func malformed(_ what: String) -> SignetError {
    SignetError(
      .statusMalformed, "OCSP response", what, expected: "a basic response of RFC 6960, section 4.2.1, in DER",
      hint: "ask the responder again")
  }
}

extension StatusResponse: CustomStringConvertible {
  /// Who answers about which certificates, for people.
  package var description: String {
    let serials = statements.map(\.serialNumber).joined(separator: ", ")
    return "\(responder) about \(statements.count == 1 ? "certificate" : "certificates") \(serials)"
  }
}

extension StatusResponse: Hashable {
  /// Responses are equal if their DER is equal.
  package static func == (left: StatusResponse, right: StatusResponse) -> Bool { left.der == right.der }

  /// Hashes the signature, which covers the rest.
  package func hash(into hasher: inout Hasher) { hasher.combine(signature) }
}
