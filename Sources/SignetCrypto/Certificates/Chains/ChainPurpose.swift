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
