public import SignetBase

/// Validates certificates for code signing up to trust anchors (RFC 5280, section 6, in OpenSSL's strict mode and by
/// additional rules).
///
/// - An anchor is trusted as it is given, byte for byte: a root, an intermediate, or the leaf itself. Its validity,
///   key and form are checked like those of every other certificate; the signature over it is not.
/// - Intermediates may come in any order, may be superfluous, and need not be trusted.
/// - The leaf is a version 3 certificate, not a CA, with digitalSignature in its key usage and codeSigning in its
///   extended key usage. A CA with an extended key usage has codeSigning or anyExtendedKeyUsage in it.
/// - The accepted keys are Ed25519, ECDSA over P-256, P-384 and P-521, and RSA with at least ``leastRSABits`` in leaves and
///   2048 bits in CAs. The accepted signatures use SHA-256 or better.
/// - Revocation lists are applied to every certificate of the path except the anchor. If no list about a certificate
///   was given, it counts as not revoked. If lists were given but leave its status open, it is refused.
///
/// All checks are made for one time, which the caller gives: now, or a time that a timestamp proves.
public struct CertificateChainVerifier: Sendable {
  /// The trust anchors. If the list is empty, nothing is trusted.
  public let anchors: [Certificate]
  /// Certificates that may link a leaf to an anchor.
  public let intermediates: [Certificate]
  /// Lists of revoked certificates. A list that is needed must be signed by a CA below an anchor, and must be
  /// current.
  public let revocationLists: [RevocationList]
  /// The minimum length of a leaf's RSA key, in bits.
  public let leastRSABits: Int
  package let purpose: ChainPurpose
  /// What was said about the revocation of single certificates.
  package var statements: (any CertificateStatements)?
  package var revocationDemand = RevocationDemand.current
  /// Whether somebody has proven the time, so that it is before what happened later.
  package private(set) var isTimeProven = false
  /// The possible issuers by their subject names; anchors come first, so that the shortest path is found first.
  let issuers: [[UInt8]: [Certificate]]

  /// Creates a verifier for code signing.
  ///
  /// - Parameters:
  ///   - anchors: the certificates to trust.
  ///   - intermediates: certificates that may link a leaf to an anchor, including those from a bundle.
  ///   - revocationLists: the revocation lists to apply.
  ///   - leastRSABits: the minimum length of a leaf's RSA key; values below 2048 mean 2048, because shorter keys are
  ///     never read.
  public init(
    anchors: [Certificate], intermediates: [Certificate], revocationLists: [RevocationList],
    leastRSABits: Int = 3072
  ) {
    self.init(
      anchors: anchors, intermediates: intermediates, revocationLists: revocationLists, leastRSABits: leastRSABits,
      purpose: .codeSigning)
  }

  package init(
    anchors: [Certificate], intermediates: [Certificate], revocationLists: [RevocationList], leastRSABits: Int,
    purpose: ChainPurpose
  ) {
    self.anchors = anchors
    self.intermediates = intermediates
    self.revocationLists = revocationLists
    self.leastRSABits = leastRSABits
    self.purpose = purpose
    var issuers: [[UInt8]: [Certificate]] = [:]
    var seen: Set<Certificate> = []
    for certificate in anchors + intermediates where seen.insert(certificate).inserted {
      issuers[certificate.subject.canonical, default: []].append(certificate)
    }
    self.issuers = issuers
  }

  /// Validates a certificate at a time.
  ///
  /// - Parameters:
  ///   - leaf: the signer's certificate; the caller must compare its identity.
  ///   - time: the time when the signature was made, or now.
  /// - Returns: the path to the first anchor for which validation succeeds.
  /// - Throws: one reason, that of the path which came closest: `chain.…`, `crl.…`; `certificate.malformed` if
  ///   OpenSSL cannot read a certificate; `crypto.failure` if the check itself failed.
  public func verify(_ leaf: Certificate, at time: UnixTime) throws(SignetError) -> CertificatePath {
    try verify(leaf, at: time, ChainBudget())
  }

  /// Validates a certificate at a time that a timestamp proves. The lists about its path must be current now, too.
  ///
  /// - Throws: what ``verify(_:at:)`` throws; `crl.expired`.
  package func verify(
    _ leaf: Certificate, at time: UnixTime, listsAt now: UnixTime
  ) throws(SignetError) -> CertificatePath {
    var verifier = self
    // An authority of timestamps states its own time: who has its key states any.
    verifier.isTimeProven = time < now && purpose != .timeStamping
    let path = try verifier.verify(leaf, at: time)
    if time != now { try RevocationCheck(verifier, at: now, ChainBudget()).checkAge(path.certificates) }
    return path
  }

  /// Validates a certificate that the validation of another one needs, within the same budget.
  func verify(_ leaf: Certificate, at time: UnixTime, _ budget: ChainBudget) throws(SignetError) -> CertificatePath {
    var search = PathSearch(self, at: time, budget)
    return try search.path(from: leaf)
  }
}

/// A validated path from a certificate to an anchor; only a ``CertificateChainVerifier`` creates one.
public struct CertificatePath: Hashable, Sendable {
  /// The path, from the leaf to the anchor; one certificate if the leaf is the anchor.
  public let certificates: [Certificate]
  /// The certificate that was validated.
  public let leaf: Certificate
  /// The anchor at the end of the path: equal, byte for byte, to one that the verifier was given.
  public let anchor: Certificate
  /// The time for which the path was validated.
  public let time: UnixTime

  init(_ leaf: Certificate, _ issuers: [Certificate], at time: UnixTime) {
    self.leaf = leaf
    certificates = [leaf] + issuers
    anchor = issuers.last ?? leaf
    self.time = time
  }

  /// The certificate that issued the leaf; nil if the leaf is the anchor.
  public var issuer: Certificate? { certificates.count > 1 ? certificates[1] : nil }
}

/// The purpose for which a leaf is validated.
package enum ChainPurpose: Equatable, Sendable {
  /// Checking signatures over code: RFC 5280, sections 4.2.1.3 and 4.2.1.12.
  case codeSigning
  /// Checking tokens of a time-stamping authority: RFC 3161, section 2.3.
  case timeStamping
  /// Checking a revocation list (section 6.3.3) that another path needs.
  ///
  /// That path may itself belong to the signer of another list, and so on: `depth` counts these lists.
  case revocationListSigning(depth: Int)
  /// No particular purpose: path validation by section 6.1, for test suites whose leaves have other purposes.
  case pathValidation

  /// What the extended key usage must have; nil if it does not matter.
  var extendedUsage: (name: OID, words: String)? {
    switch self {
    case .codeSigning: (.codeSigning, "code signing")
    case .timeStamping: (.timeStamping, "time stamping")
    case .revocationListSigning, .pathValidation: nil
    }
  }

  /// The number of nested revocation lists that led to this search.
  var listDepth: Int { if case .revocationListSigning(let depth) = self { depth } else { 0 } }
}

/// What was said about the revocation of single certificates, as responders of OCSP say it.
package protocol CertificateStatements: Sendable {
  /// Reads what responders have answered, in the form's bytes.
  init(reading responses: [[UInt8]]) throws(SignetError)
  /// What is said about a certificate at a time. Whatever is said of it must hold and be current.
  ///
  /// - Parameter verifier: checks who has said it.
  /// - Returns: whether it is said not to be revoked; false if nothing is said.
  /// - Throws: `chain.revoked`; what is wrong with a statement about it.
  func check(
    _ certificate: Certificate, issuedBy issuer: Certificate, for verifier: CertificateChainVerifier,
    at time: UnixTime
  ) throws(SignetError) -> Bool

  /// Whether what ``check(_:issuedBy:for:at:)`` has accepted for an earlier time is current; false if nothing is said.
  ///
  /// - Throws: if what is said is out of date.
  func isCurrent(about certificate: Certificate, issuedBy issuer: Certificate, at now: UnixTime) throws(SignetError)
    -> Bool
  /// What is out of date at a time, for people.
  func outOfDate(at now: UnixTime) -> [String]
}
