internal import SignetBase

/// How much work the validation of one certificate may make. Whoever sends a bundle chooses its certificates; he must not
/// choose how long they keep us busy.
///
/// There is one budget for a leaf. The searches for those who signed revocation lists, and for those who signed the lists
/// that these need, draw from it, too.
final class ChainBudget {
  /// Certificates in a path, leaf and anchor included: a bundle carries at most 8, and the anchor is not among them.
  static let pathLength = 9
  /// Issuers looked at. Real sets need a handful; this many take a few milliseconds.
  static let steps = 20_000
  /// Signatures of certificates that are checked. webpki takes the same number; the worst honest sets it knows need far
  /// fewer.
  static let signatures = 100
  /// Signatures of revocation lists that are checked: a policy has at most 64 lists, and each may be asked about 8
  /// certificates of a path, by two keys of its issuer.
  static let listSignatures = 1024
  /// Lists whose signer has to be found by way of another list, and so on. NIST's test suite needs two.
  static let listDepth = 4
  /// RSA keys of CAs have at least so many bits, whatever is asked of leaves: the roots and intermediates of today are
  /// partly that old, and 112 bits of strength are enough until 2030 (SP 800-57 part 1, table 4).
  static let leastRSABitsOfCAs = 2048

  private var steps = 0
  private var signatures = 0
  private var listSignatures = 0

  /// Takes a step to an issuer.
  ///
  /// - Throws: `chain.too-complex`.
  func takeStep(from leaf: Certificate) throws(SignetError) {
    steps += 1
    guard steps <= Self.steps else { throw Self.tooComplex(leaf, "more ways than can be tried") }
  }

  /// Takes the signatures of a path.
  ///
  /// - Throws: `chain.too-complex`.
  func takeSignatures(_ count: Int, from leaf: Certificate) throws(SignetError) {
    signatures += count
    guard signatures <= Self.signatures else { throw Self.tooComplex(leaf, "more signatures than can be checked") }
  }

  /// Takes the signature of a revocation list.
  ///
  /// - Throws: `chain.too-complex`.
  func takeListSignature(about certificate: Certificate) throws(SignetError) {
    listSignatures += 1
    guard listSignatures <= Self.listSignatures else {
      throw Self.tooComplex(certificate, "more revocation lists than can be checked")
    }
  }

  /// What is said of a certificate whose paths cost too much.
  static func tooComplex(_ leaf: Certificate, _ found: String) -> SignetError {
    SignetError(
      .chainTooComplex, "certificate \(leaf)", "its chain is too long or can be built in too many ways", found: found)
  }
}
