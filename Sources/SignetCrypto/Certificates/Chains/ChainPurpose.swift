/// What a leaf is wanted for.
enum ChainPurpose: Sendable {
  /// Checking signatures over code: RFC 5280, sections 4.2.1.3 and 4.2.1.12.
  case codeSigning
  /// Checking a revocation list of a CA (section 6.3.3): the leaf is a CA.
  case revocationListSigning
  /// Nothing in particular: path validation as section 6.1 has it, for test suites whose leaves are for other things.
  case pathValidation
}
