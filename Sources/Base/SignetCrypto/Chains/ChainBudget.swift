internal import SignetBase

/// The maximum amount of work for the validation of one certificate.
///
/// The sender of a bundle chooses its certificates, but must not be able to choose how long they keep the verifier
/// busy.
///
/// There is one budget for a leaf. The searches for the signers of revocation lists use it, too, and so do the
/// searches for the signers of lists that these need.
package final class ChainBudget {
  /// The maximum number of certificates in a path, including leaf and anchor. A bundle carries at most 8, and the
  /// anchor is not among them.
  static let pathLength = 9
  /// The maximum number of issuers that are tried. Real sets need a handful; this many take a few milliseconds.
  static let steps = 20_000
  /// The maximum number of certificate signatures that are checked. webpki has the same limit, and the worst honest
  /// sets that it knows need far fewer.
  static let signatures = 100
  /// The maximum number of list signatures that are checked. A policy has at most 64 lists, and each may be checked
  /// for 8 certificates of a path, with two keys of its issuer.
  static let listSignatures = 1024
  /// The maximum nesting of lists whose signer has to be validated with another list. NIST's test suite needs two.
  static let listDepth = 4
  /// The minimum length of a CA's RSA key in bits, whatever is required of leaves.
  ///
  /// Some of today's roots and intermediates have such old keys, and 112 bits of strength are enough until 2030 (SP
  /// 800-57 part 1, table 4).
  package static let leastRSABitsOfCAs = 2048

  private var steps = 0
  private var signatures = 0
  private var listSignatures = 0

  /// Counts a step to an issuer.
  ///
  /// - Throws: `chain.too-complex`.
  func takeStep(from leaf: Certificate) throws(SignetError) {
    steps += 1
    guard steps <= Self.steps else { throw Self.tooComplex(leaf, "more ways than can be tried") }
  }

  /// Counts the signatures of a path.
  ///
  /// - Throws: `chain.too-complex`.
  func takeSignatures(_ count: Int, from leaf: Certificate) throws(SignetError) {
    signatures += count
    guard signatures <= Self.signatures else { throw Self.tooComplex(leaf, "more signatures than can be checked") }
  }

  /// Counts the signature of a revocation list.
  ///
  /// - Throws: `chain.too-complex`.
  func takeListSignature(about certificate: Certificate) throws(SignetError) {
    listSignatures += 1
    guard listSignatures <= Self.listSignatures else {
      throw Self.tooComplex(certificate, "more revocation lists than can be checked")
    }
  }

  /// The error for a certificate whose paths take too much work.
  static func tooComplex(_ leaf: Certificate, _ found: String) -> SignetError {
    SignetError(
      .chainTooComplex, "certificate \(leaf)", "its chain is too long or can be built in too many ways", found: found)
  }
}
