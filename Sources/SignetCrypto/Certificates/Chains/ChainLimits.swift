/// How much work one validation may make. Whoever sends a bundle chooses its certificates; he must not choose how long
/// they keep us busy.
enum ChainLimits {
  /// Certificates in a path, leaf and anchor included: a bundle carries at most 8, and the anchor is not among them.
  static let pathLength = 9
  /// Issuers looked at during a search. Real sets need a handful; this many take a few milliseconds.
  static let steps = 20_000
  /// Signatures checked during a search. webpki takes the same number; the worst honest sets it knows need far fewer.
  static let signatures = 100
  /// Lists whose signer has to be found by way of another list, and so on. NIST's test suite needs two.
  static let listDepth = 4
  /// RSA keys of CAs have at least so many bits, whatever is asked of leaves: the roots and intermediates of today are
  /// partly that old, and 112 bits of strength are enough until 2030 (SP 800-57 part 1, table 4).
  static let leastRSABitsOfCAs = 2048
}
