package import SignetBase
package import SignetCrypto
package import SignetKeys
package import SignetVerify

/// A small authority: a certificate that may certify others, its key, and what it has issued.
///
/// Nothing is written here: each change gives what is to be written.
package struct Authority: Sendable {
  /// Its certificate.
  package let certificate: Certificate
  /// The certificates above it, from the nearest on; empty for a root.
  package let issuers: [Certificate]
  /// What it has issued.
  package private(set) var issued: IssuedCertificates

  /// The longest validity of a signer's certificate, in days, unless somebody says otherwise: that of certificates for code
  /// signing by public authorities (CA/Browser Forum, Ballot CSC-31).
  package static let signerDays = 460
  private static let day: Int64 = 86_400
  /// How many seconds before now a certificate begins: clocks differ.
  private static let head: Int64 = 300
  private static let serialBytes = 16

  package init(_ certificate: Certificate, below issuers: [Certificate], _ issued: IssuedCertificates) {
    (self.certificate, self.issuers, self.issued) = (certificate, issuers, issued)
  }

  /// Makes a root, which certifies itself.
  ///
  /// - Parameter days: how long it is valid.
  /// - Throws: `authority.terms`, `authority.key`, `crypto.failure`.
  package static func root(
    _ subject: CertificateSubject, _ key: PrivateKey, days: Int, at now: UnixTime
  ) throws(SignetError) -> Authority {
    let template = try CertificateTemplate(
      subject, key.publicKey, .authority(intermediates: nil), from: begin(now), until: end(now, days))
    let certificate = try template.signed(serial: serial(), issuer: nil, by: key)
    return Authority(certificate, below: [], IssuedCertificates())
  }

  /// Certifies another authority, which may certify signers and no further authority.
  ///
  /// - Throws: `authority.terms`, `authority.key`, `crypto.failure`.
  package mutating func intermediate(
    _ subject: CertificateSubject, _ publicKey: PublicKey, days: Int, by key: PrivateKey, at now: UnixTime
  ) throws(SignetError) -> Authority {
    guard issuers.isEmpty else {
      throw SignetError(
        .authorityTerms, certificate.name, "may certify signers, and no authorities", expected: "a root",
        hint: "name the root as the parent")
    }
    let template = try CertificateTemplate(
      subject, publicKey, .authority(intermediates: 0), from: begin(now), until: end(now, days))
    return Authority(try issue(template, by: key), below: [certificate] + issuers, IssuedCertificates())
  }

  /// Certifies a signer.
  ///
  /// - Parameters:
  ///   - names: its names besides the subject.
  ///   - days: how long the certificate is valid.
  ///   - lists: where the authority's revocation list is published; nil if nowhere.
  /// - Returns: the certificate, by which a verifier that trusts the root accepts signatures.
  /// - Throws: `authority.terms` for one that would outlive the authority, `authority.name`, `authority.key`; `chain.…` if no
  ///   verifier would accept it; `crypto.failure`.
  package mutating func signer(
    _ subject: CertificateSubject, _ names: [SignerIdentity], _ publicKey: PublicKey, days: Int, lists: String? = nil,
    by key: PrivateKey, at now: UnixTime
  ) throws(SignetError) -> Certificate {
    var template = try CertificateTemplate(
      subject, publicKey, .signer(names), from: begin(now), until: end(now, days))
    template.revocationLists = lists
    let signer = try issue(template, by: key)
    _ = try CertificateUse.check(signer, issuers: [certificate] + issuers, at: now)
    return signer
  }

  /// Certifies a signer again, with the names and the key of a certificate that it has issued.
  ///
  /// - Throws: `authority.unknown` for another authority's, and for one that it has revoked; what
  ///   ``signer(_:_:_:days:lists:by:at:)`` throws.
  package mutating func renewed(
    _ old: Certificate, days: Int, lists: String? = nil, by key: PrivateKey, at now: UnixTime
  ) throws(SignetError) -> Certificate {
    guard !old.isCA else {
      throw SignetError(
        .authorityTerms, old.name, "is an authority's certificate, and makes no signer", expected: "a signer's",
        hint: "make a new authority below the root, with a new key")
    }
    guard let known = issued[serial: old.serialNumber], known.sha256.isExactly(old.fingerprint.hex) else {
      throw SignetError(
        .authorityUnknown, old.name, "is no certificate that this authority has issued",
        hint: "issue one instead, by the holder's request")
    }
    if let revocation = known.revocation {
      throw SignetError(
        .authorityUnknown, old.name, "was revoked, and is not certified again", found: revocation.reason.rawValue,
        hint: "issue a certificate for a new key")
    }
    let names = old.subjectAlternativeNames.compactMap { SignerIdentity("\($0)") }
    return try signer(
      CertificateSubject("\(old.subject)"), names, old.publicKey(), days: days, lists: lists, by: key, at: now)
  }

  /// Revokes what it has issued.
  ///
  /// - Parameter since: since when the key may be somebody else's; nil if that is not known.
  /// - Returns: the serial numbers of those that were not revoked before: for a compromise, of every certificate of the key.
  /// - Throws: `authority.unknown`; `authority.terms` for a time that has not come yet.
  package mutating func revoke(
    _ serial: String, _ reason: RevocationReason, since: UnixTime?, at now: UnixTime
  ) throws(SignetError) -> [String] {
    if let since, since > now {
      throw SignetError(
        .authorityTerms, serial, "cannot have been somebody else's since a time that has not come yet",
        expected: "\(now) or earlier", found: "\(since)")
    }
    return try issued.revoke(serial, IssuedCertificate.Revocation(date: now, reason: reason, since: since))
  }

  /// Makes a revocation list of all that was revoked.
  ///
  /// - Parameter days: until when the next one is due.
  /// - Throws: `authority.terms`, `authority.key`, `crypto.failure`.
  package mutating func revocationList(
    days: Int, by key: PrivateKey, at now: UnixTime
  ) throws(SignetError) -> RevocationList {
    try check(key)
    return try RevocationListTemplate(
      number: issued.countList(), certificates: issued.certificates, thisUpdate: now, nextUpdate: Self.end(now, days)
    ).signed(by: key, of: certificate)
  }

  private mutating func issue(
    _ template: CertificateTemplate, by key: PrivateKey
  ) throws(SignetError) -> Certificate {
    try check(key)
    let made = try template.signed(serial: Self.serial(), issuer: certificate, by: key)
    try issued.add(made)
    return made
  }

  private func check(_ key: PrivateKey) throws(SignetError) {
    guard try certificate.publicKey() == key.publicKey else {
      throw SignetError(
        .authorityKey, "\(key.publicKey.id)", "is not the key of the authority's certificate",
        expected: "\(try certificate.publicKey().id)", hint: "give the key that was made with the authority")
    }
  }

  private static func begin(_ now: UnixTime) -> UnixTime { UnixTime(seconds: now.seconds - head) }

  /// The begin of a certificate, which is not before the authority's own.
  private func begin(_ now: UnixTime) -> UnixTime { max(Self.begin(now), certificate.notBefore) }

  /// - Throws: `authority.terms`.
  private static func end(_ now: UnixTime, _ days: Int) throws(SignetError) -> UnixTime {
    guard (1...36_500).contains(days) else {
      throw SignetError(
        .authorityTerms, "validity", "is not a number of days that anything is valid", expected: "1 to 36500",
        found: "\(days)")
    }
    return UnixTime(seconds: now.seconds + Int64(days) * day - 1)
  }

  /// The end of what the authority certifies, which it does not outlive.
  private func end(_ now: UnixTime, _ days: Int) throws(SignetError) -> UnixTime {
    let end = try Self.end(now, days)
    guard end <= certificate.notAfter else {
      throw SignetError(
        .authorityTerms, "certificate", "would outlive its authority", expected: "an end by \(certificate.notAfter)",
        found: "\(end)", hint: "give fewer days, or make a new authority")
    }
    return end
  }

  /// A random serial number: positive, not zero, of 16 bytes (RFC 5280, section 4.1.2.2, allows 20).
  private static func serial() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    var bytes = (0..<serialBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes[0] = UInt8.random(in: 1...0x7f, using: &random)
    return bytes
  }
}
