package import SignetBase

/// A rule of the gate. Each rule is a type in one file, and a line in ``RuleList``.
///
/// A rule looks at artifacts, at the files inside them, or at the release as a whole. It has one protocol for each thing
/// that it looks at, and the engine calls it by these. A rule says what is wrong, and knows nothing of levels, reports and
/// commands. One value of a rule checks all artifacts, on several threads at once, so a rule has no state.
///
/// No protocol has a default: a function that is not exactly what its protocol asks for does not compile, and so no rule
/// is left out in silence. A rule that throws could not find out whether something is wrong. The gate then fails as a
/// whole: nothing passes for want of looking.
package protocol GateRule: Sendable {
  /// What people and policies are told of the rule.
  static var about: RuleDescription { get }

  /// Makes the rule with what a policy tells it. No option is required.
  ///
  /// - Throws: `json.…` for an option that is not allowed.
  init(_ options: inout RuleOptions) throws(SignetError)
}

/// A rule that looks at the verification of each artifact.
package protocol ArtifactRule: GateRule {
  /// Says what is wrong with an artifact, from its verification.
  func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError)
}

/// A rule that looks at the names in archives and directories.
package protocol ContentsRule: GateRule {
  /// Says what is wrong with the names in an archive or a directory: the artifact itself, or an archive in it.
  func check(
    _ contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError)
}

/// A rule that looks at each file.
package protocol FileRule: GateRule {
  /// Says what is wrong with a file: one in an archive or in a directory, or an artifact that is neither.
  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError)
}

/// A rule on files that may want to know their digests.
package protocol DigestRule: FileRule {
  /// Whether the rule wants the SHA-256 of every file.
  var wantsDigests: Bool { get }
}

/// A rule that has the content of every file searched for texts.
package protocol LiteralRule: GateRule {
  /// The texts. Each has 4 to 32 bytes.
  var literals: [[UInt8]] { get }

  /// How many bytes around a place the rule wants for one of its ``literals``, by its index.
  func reach(of literal: Int) -> ContentMatch.Reach

  /// Says what is wrong with a place where one of ``literals`` was found.
  ///
  /// - Returns: whether the rule is done, or wants to look at the place again, with more bytes around it. It gets them if
  ///   its ``reach(of:)`` has them and the file has few such places; otherwise the file is named as one that was not
  ///   searched.
  func check(
    _ match: ContentMatch, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) -> ContentMatch.Answer
}

/// A rule that answers for entries whose bytes are not what their archive says of them.
package protocol DamageRule: GateRule {
  /// Says that the bytes of an archive's entry are not what the archive says of them, and could not be looked at.
  ///
  /// - Returns: whether the rule answers for it, with a finding or by what the policy allows. If no rule does, the gate
  ///   fails.
  func check(
    _ damage: SignetError, of entry: String, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) -> Bool
}

/// A rule that answers for what could not be searched.
package protocol UnsearchedFileRule: GateRule {
  /// Says that something could not be searched.
  ///
  /// - Parameter entry: the entry of the artifact; nil for the artifact itself.
  /// - Returns: whether the rule answers for it, with a finding or by what the policy allows.
  func check(
    unsearched reason: SignetError, of entry: String?, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) -> Bool
}

/// A rule that looks at the release as a whole.
package protocol ReleaseRule: GateRule {
  /// Says what is wrong with the release, once all artifacts were examined.
  func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError)
}
