public import SignetBase

/// Validates certificates for code signing up to trust anchors (RFC 5280, section 6, in OpenSSL's strict mode and by
/// rules of our own).
///
/// - An anchor is trusted as it is given, byte for byte: a root, an intermediate, or the leaf itself. Its validity, key
///   and form count like every other certificate's; the signature over it does not.
/// - Intermediates may come in any order, may be superfluous, and need not be trusted.
/// - The leaf is a version 3 certificate, not a CA, with digitalSignature in its key usage and codeSigning in its
///   extended key usage. A CA with an extended key usage has codeSigning or anyExtendedKeyUsage in it.
/// - Accepted are keys of Ed25519, of ECDSA over P-256 and P-384, and of RSA: at least ``leastRSABits`` in leaves and
///   2048 in CAs; signatures with SHA-256 or better.
/// - Revocation lists are honoured for every certificate of the path but the anchor. A certificate about which no list was
///   given counts as not revoked; lists that were given and leave it open refuse it.
///
/// All checks are made at one time, which the caller gives: now, or a time that a timestamp proves.
public struct CertificateChainVerifier: Sendable {
  /// Who is trusted; nobody when there are none.
  public let anchors: [Certificate]
  /// Certificates that may link a leaf to an anchor.
  public let intermediates: [Certificate]
  /// Lists of revoked certificates. One that is needed must be signed by a CA below an anchor, and be current.
  public let revocationLists: [RevocationList]
  /// The shortest RSA key of a leaf, in bits.
  public let leastRSABits: Int
  let purpose: ChainPurpose
  /// Who may issue, by the name they issue under: anchors first, so that the shortest path is found first.
  let issuers: [[UInt8]: [Certificate]]

  /// A verifier for code signing.
  ///
  /// - Parameters:
  ///   - anchors: whom to trust.
  ///   - intermediates: what may stand between; also those that a bundle brought.
  ///   - revocationLists: what to honour.
  ///   - leastRSABits: the shortest RSA key of a leaf; values below 2048 mean 2048, below which no key is read.
  public init(
    anchors: [Certificate], intermediates: [Certificate], revocationLists: [RevocationList],
    leastRSABits: Int = 3072
  ) {
    self.init(
      anchors: anchors, intermediates: intermediates, revocationLists: revocationLists, leastRSABits: leastRSABits,
      purpose: .codeSigning)
  }

  init(
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
  ///   - leaf: the signer's certificate; its identity is for the caller to compare.
  ///   - time: when the signature was made, or now.
  /// - Returns: the path to the first anchor it can be validated up to.
  /// - Throws: one reason, that of the path which came closest: `chain.*`, `crl.*`; `certificate.malformed` when OpenSSL
  ///   cannot read a certificate; `crypto.failure` when it could not be found out.
  public func verify(_ leaf: Certificate, at time: UnixTime) throws(SignetError) -> CertificatePath {
    try verify(leaf, at: time, ChainBudget())
  }

  /// Validates a certificate that another one's validation needs, within its budget.
  func verify(_ leaf: Certificate, at time: UnixTime, _ budget: ChainBudget) throws(SignetError) -> CertificatePath {
    var search = PathSearch(self, at: time, budget)
    return try search.path(from: leaf)
  }
}

/// A validated path from a certificate to an anchor. Only a ``CertificateChainVerifier`` makes one.
public struct CertificatePath: Hashable, Sendable {
  /// The path, the leaf first, the anchor last; one certificate when the leaf is the anchor.
  public let certificates: [Certificate]
  /// The certificate that was asked about.
  public let leaf: Certificate
  /// The anchor that vouches for it: equal, byte for byte, to one the verifier was given.
  public let anchor: Certificate
  /// The time the path was validated for.
  public let time: UnixTime

  init(_ leaf: Certificate, _ issuers: [Certificate], at time: UnixTime) {
    self.leaf = leaf
    certificates = [leaf] + issuers
    anchor = issuers.last ?? leaf
    self.time = time
  }

  /// The certificate that issued the leaf; nil when the leaf is the anchor.
  public var issuer: Certificate? { certificates.count > 1 ? certificates[1] : nil }
}

/// What a leaf is wanted for.
enum ChainPurpose: Equatable, Sendable {
  /// Checking signatures over code: RFC 5280, sections 4.2.1.3 and 4.2.1.12.
  case codeSigning
  /// Checking a revocation list (section 6.3.3) that another path needs, or the path of another list's signer, and so on,
  /// so many times.
  case revocationListSigning(depth: Int)
  /// Nothing in particular: path validation as section 6.1 has it, for test suites whose leaves are for other things.
  case pathValidation

  /// How many lists deep the search is.
  var listDepth: Int { if case .revocationListSigning(let depth) = self { depth } else { 0 } }
}
