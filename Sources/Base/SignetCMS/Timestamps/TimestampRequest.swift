package import SignetBase
internal import SignetCrypto
internal import SignetNames

/// A request to a time-stamping authority to state that bytes exist now (TimeStampReq: RFC 3161, section 2.4.1), and what
/// makes an answer the answer to it.
package struct TimestampRequest: Sendable {
  /// The request in DER.
  package let der: [UInt8]
  private let bytes: [UInt8]
  private let imprint: Digest
  private let nonce: [UInt8]
  private let policy: TimestampPolicy?

  /// How many seconds the authority's clock may be away from this one. More of it says that one of them is wrong, and a
  /// verifier would refuse what lies ahead.
  private static let clockTolerance: Int64 = 300
  /// 2.16.840.1.101.3.4.2.1
  private static let sha256 = OID.other(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01)

  /// Makes a request with a number that nobody can foresee, so that an older answer is not taken for the one to it.
  ///
  /// - Parameters:
  ///   - bytes: what is stamped: of a signature its bytes, neither their base64 nor the file.
  ///   - policy: the policy under which it must be stamped; nil for the authority's own choice.
  /// - Throws: `crypto.failure`.
  package init(over bytes: [UInt8], under policy: TimestampPolicy? = nil) throws(SignetError) {
    var random = SystemRandomNumberGenerator()
    // Positive in two's complement, and of eight bytes always.
    let number = UInt64.random(in: (1 << 56)..<(1 << 63), using: &random)
    self.bytes = bytes
    self.policy = policy
    nonce = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    imprint = try Digest.of(bytes, .sha256)
    let algorithm = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, Self.sha256.content), DERWriter.element(DERElement.null, []))
    der = DERWriter.sequence(
      DERWriter.unsignedInteger([1]),
      DERWriter.sequence(algorithm, DERWriter.element(DERElement.octetString, imprint.bytes)),
      policy.map { DERWriter.element(DERElement.objectIdentifier, $0.name.content) } ?? [],
      DERWriter.element(DERElement.integer, nonce),
      // The certificate is asked for, as a verifier needs it (certReq).
      DERWriter.element(DERElement.boolean, [0xff]))
  }

  /// Checks that an answer is the one to this request, and holds.
  ///
  /// - Parameters:
  ///   - answer: what the authority has sent.
  ///   - authorities: those that are trusted. If there are none, the token must hold by the certificate that it carries.
  ///   - now: the time of the request.
  /// - Returns: the token in it, and the authority by which it holds.
  /// - Throws: `timestamp.malformed`, `timestamp.unsupported`, `timestamp.rejected`, `timestamp.imprint`,
  ///   `timestamp.nonce`, `timestamp.policy`, `timestamp.outside-window`, `timestamp.certificate`, `timestamp.authority`; `cms.…`, `chain.…`;
  ///   `crypto.failure`.
  package func token(
    in answer: [UInt8], by authorities: [TimestampAuthority], at now: UnixTime
  ) throws(SignetError) -> (token: TimestampToken, authority: TimestampAuthority) {
    let token = try TimestampToken(der: answer)
    guard token.info.imprint == imprint else {
      throw SignetError(
        .timestampImprint, "timestamp", "is about other bytes, or by another digest", expected: "\(imprint)",
        found: "\(token.info.imprint)")
    }
    guard token.info.nonce == nonce else {
      throw SignetError(
        .timestampNonce, "timestamp", "is the answer to another request", expected: Hexadecimal.encode(nonce),
        found: token.info.nonce.map(Hexadecimal.encode) ?? "no number")
    }
    if let policy, token.info.policy != policy.name {
      throw SignetError(
        .timestampPolicy, "timestamp", "is under another policy of its authority", expected: "\(policy)",
        found: "\(token.info.policy)", hint: "ask for a policy that the authority publishes, or for none")
    }
    guard abs(token.info.time.seconds - now.seconds) <= Self.clockTolerance else {
      throw SignetError(
        .timestampOutsideWindow, "timestamp", "is of another time than this machine's",
        expected: "within five minutes of \(now)", found: "\(token.info.time)",
        hint: "set the clock of this machine if it is wrong, or ask another authority")
    }
    guard let own = token.ownAuthority else {
      throw SignetError(
        .timestampCertificate, "timestamp", "does not carry the certificate of its authority, as it was asked to",
        hint: "ask another authority: verifiers need the certificate")
    }
    return (token, try token.check(over: bytes, by: authorities.isEmpty ? [own] : authorities))
  }
}
