package import SignetBase
package import SignetCrypto
internal import SignetNames

/// A token of a time-stamping authority (RFC 3161, section 2.4.2): signed data about a ``TimestampInfo``.
///
/// Reading it proves nothing. ``check(over:by:)`` says which authority has stated the time.
package struct TimestampToken: Sendable {
  /// What the authority states.
  package let info: TimestampInfo
  /// The certificates that the token carries, in DER.
  package var certificates: [[UInt8]] { data.certificates }
  private let data: SignedData
  private let content: [UInt8]
  private let signer: SignerInfo

  /// The certificates of a token that are looked at: an authority has two or three.
  private static let certificateLimit = 8

  /// The certificates that the token carries and that can be read.
  private var embedded: [Certificate] {
    var read: [Certificate] = []
    for certificate in certificates.compactMap({ try? Certificate(der: $0) }) where !read.contains(certificate) {
      guard read.count < Self.certificateLimit else { break }
      read.append(certificate)
    }
    return read
  }

  /// The signer's own certificate in the token, as an authority: who trusts nobody yet can check the token's form by it.
  package var ownAuthority: TimestampAuthority? {
    embedded.first { signer.identifier.names($0) }.flatMap { TimestampAuthority([$0]) }
  }

  /// Who claims to have made it: the name in the certificate that it carries, or what else names the certificate.
  package var claimedAuthority: String { ownAuthority?.description ?? "\(signer.identifier)" }

  /// 1.2.840.113549.1.9.16.1.4
  private static let contentType = OID.pkcs(9, 16, 1, 4)
  /// 1.2.840.113549.1.9.16.2.12: the signer's certificate by its SHA-1 (RFC 2634, section 5.4).
  private static let certificateAttribute = OID.pkcs(9, 16, 2, 12)
  /// 1.2.840.113549.1.9.16.2.47: the signer's certificate by another digest (RFC 5035, section 3).
  private static let certificateAttributeV2 = OID.pkcs(9, 16, 2, 47)

  /// Reads a token, or the answer of an authority with one (section 2.4.2), which Sigstore's bundles hold.
  ///
  /// - Throws: `timestamp.malformed`, `timestamp.unsupported`, `timestamp.rejected`; `cms.malformed`, `cms.unsupported`.
  package init(der: [UInt8]) throws(SignetError) {
    data = try SignedData(der: try Self.token(in: der))
    guard data.contentType == Self.contentType, let content = data.content else {
      throw SignetError(
        .timestampMalformed, "timestamp", "is signed data about something else",
        expected: "\(Self.contentType) (TSTInfo)",
        found: "\(data.contentType)")
    }
    guard data.signers.count == 1 else {
      throw SignetError(
        .timestampMalformed, "timestamp", "has other signatures than the authority's (RFC 3161, section 2.4.2)",
        expected: "1", found: "\(data.signers.count)")
    }
    self.content = content
    signer = data.signers[0]
    info = try TimestampInfo(der: content)
  }

  /// The token in an answer; the bytes themselves if they are a token.
  private static func token(in der: [UInt8]) throws(SignetError) -> [UInt8] {
    guard der.count <= SignedData.sizeLimit else { throw TimestampInfo.malformed("is too long") }
    var outer = DERReader(der)
    guard var answer = outer.sequence(), outer.isAtEnd else { throw TimestampInfo.malformed("is not DER") }
    // A ContentInfo begins with its type, an answer with its status.
    guard answer.nextTag == DERElement.sequence else { return der }
    guard var status = answer.sequence(), let number = status.unsignedInteger(atMost: 5), status.isWellFormed else {
      throw TimestampInfo.malformed("is an answer without a status")
    }
    guard number <= 1 else {
      throw SignetError(
        .timestampRejected, "timestamp", "is an answer by which the authority declines",
        expected: "the status 0 or 1",
        found: (["\(number)"] + Self.reasons(status)).joined(separator: ", "))
    }
    guard let token = answer.encoded(DERElement.sequence), answer.isAtEnd else {
      throw TimestampInfo.malformed("is an answer without a token")
    }
    return token
  }

  /// Why an authority declines, as far as it says so (PKIStatusInfo: RFC 3161, section 2.4.2).
  private static func reasons(_ status: DERReader) -> [String] {
    var (rest, reasons) = (status, [String]())
    if var texts = rest.sequence() {
      while reasons.count < 4, let text = texts.element(DERElement.utf8String)?.rest {
        reasons.append(String(decoding: text.prefix(200), as: UTF8.self).visible)
      }
    }
    guard let bits = rest.element(DERElement.bitString)?.rest.dropFirst() else { return reasons }
    let names = [
      0: "badAlg", 2: "badRequest", 5: "badDataFormat", 14: "timeNotAvailable", 15: "unacceptedPolicy",
      16: "unacceptedExtension", 17: "addInfoNotAvailable", 25: "systemFailure",
    ]
    return reasons
      + names.sorted { $0.key < $1.key }.filter { number, _ in
        number / 8 < bits.count && bits[bits.startIndex + number / 8] & (0x80 >> (number % 8)) != 0
      }.map(\.value)
  }

  /// Checks that one of the authorities has stated that bytes existed at the token's time.
  ///
  /// - Parameters:
  ///   - bytes: the bytes, such as those of a signature.
  ///   - authorities: those that are trusted.
  /// - Returns: the authority.
  /// - Throws: `timestamp.imprint` for other bytes, `timestamp.authority` if none of the authorities is named as the signer,
  ///   `timestamp.certificate`, `timestamp.outside-window`; `cms.…`, `chain.…`; `crypto.failure`.
  package func check(over bytes: [UInt8], by authorities: [TimestampAuthority]) throws(SignetError)
    -> TimestampAuthority
  {
    try path(over: bytes, by: authorities).authority
  }

  /// The same, and the certificates that lead to the authority.
  ///
  /// - Parameter now: when lists of revoked certificates must be current, too; nil for the time of the token.
  package func path(
    over bytes: [UInt8], by authorities: [TimestampAuthority], listsAt now: UnixTime? = nil
  ) throws(SignetError) -> (authority: TimestampAuthority, certificates: CertificatePath) {
    let found = try Digest.of(bytes, info.imprint.algorithm)
    guard found == info.imprint else {
      throw SignetError(
        .timestampImprint, "timestamp", "is about other bytes", expected: info.imprint.description, found: "\(found)")
    }
    let embedded = embedded
    var failure: SignetError?
    for authority in authorities {
      for leaf in authority.candidates(embedded) where signer.identifier.names(leaf) {
        do throws(SignetError) {
          return (authority, try check(leaf, embedded, of: authority, now))
        } catch {
          if error.code == .cryptoFailure { throw error }
          failure = failure ?? error
        }
      }
    }
    throw failure
      ?? SignetError(
        .timestampAuthority, "timestamp", "is by no authority that is trusted",
        expected: authorities.isEmpty
          ? "an authority, and none is trusted"
          : Set(authorities.map(\.description)).sorted().joined(separator: "; "),
        found: "\(signer.identifier)")
  }

  private func check(
    _ leaf: Certificate, _ embedded: [Certificate], of authority: TimestampAuthority, _ now: UnixTime?
  ) throws(SignetError) -> CertificatePath {
    guard authority.window.contains(info.time) else {
      throw SignetError(
        .timestampOutsideWindow, "timestamp", "is of a time at which the authority is not trusted",
        expected: "\(authority.window)", found: "\(info.time)")
    }
    try checkCertificate(leaf)
    try signer.check(.bytes(content), by: leaf)
    return try authority.path(from: leaf, embedded, at: info.time, listsAt: now)
  }

  /// The certificate that the signer has signed into the token must be this one: another one with the same name, serial
  /// number and key could say other things (RFC 5816, section 2.2.1).
  private func checkCertificate(_ leaf: Certificate) throws(SignetError) {
    guard let attributes = signer.attributes else { throw TimestampInfo.malformed("signs no attributes") }
    let second = attributes.has(Self.certificateAttributeV2)
    guard second || attributes.has(Self.certificateAttribute) else {
      throw TimestampInfo.malformed("does not name the authority's certificate")
    }
    if second { try check(leaf, in: attributes.value(Self.certificateAttributeV2), isSecond: true) }
    if attributes.has(Self.certificateAttribute) {
      try check(leaf, in: attributes.value(Self.certificateAttribute), isSecond: false)
    }
  }

  /// Compares the first entry of SigningCertificate or SigningCertificateV2, which is the signer's.
  private func check(_ leaf: Certificate, in value: DERReader?, isSecond: Bool) throws(SignetError) {
    guard var attribute = value, var fields = attribute.sequence(), var entries = fields.sequence(),
      var entry = entries.sequence()
    else { throw TimestampInfo.malformed("names the authority's certificate in a damaged way") }
    var algorithm = DigestAlgorithm.sha256
    if isSecond, entry.nextTag == DERElement.sequence {
      guard let named = CertificateSignatureAlgorithm.digest(&entry) else {
        throw SignetError(
          .timestampUnsupported, "timestamp", "names the authority's certificate by a digest that is not accepted",
          expected: "SHA-256, SHA-384 or SHA-512")
      }
      algorithm = named
    }
    guard let digest = entry.octetString() else {
      throw TimestampInfo.malformed("names the authority's certificate in a damaged way")
    }
    let found = isSecond ? try Digest.of(leaf.der, algorithm).bytes : try OtherDigest.sha1(leaf.der)
    guard found == digest else {
      throw SignetError(
        .timestampCertificate, "timestamp", "names another certificate than the authority's",
        expected: Hexadecimal.encode(digest), found: Hexadecimal.encode(found))
    }
  }
}
