package import SignetBase

/// A rule of the gate. Each rule is a type in one file, and a line in ``RuleList``.
///
/// A rule looks at artifacts, at the files inside them, or at the release as a whole. It says what is wrong, and knows
/// nothing of levels, reports and commands. One value of a rule checks all artifacts, on several threads at once, so a
/// rule has no state.
///
/// A rule that throws could not find out whether something is wrong. The gate then fails as a whole: nothing passes for
/// want of looking.
package protocol GateRule: Sendable {
  /// What people and policies are told of the rule.
  static var about: RuleDescription { get }

  /// Makes the rule with what a policy tells it. No option is required.
  ///
  /// - Throws: `json.…` for an option that is not allowed.
  init(_ options: inout RuleOptions) throws(SignetError)

  /// Texts for which the content of every file is searched. Each has 4 to 32 bytes.
  var literals: [[UInt8]] { get }

  /// How many bytes around a place a rule wants for one of its ``literals``, by its index.
  func reach(of literal: Int) -> ContentMatch.Reach

  /// Says what is wrong with an artifact, from its verification and from the names of what it holds.
  func check(
    _ artifact: ExaminedArtifact, _ contents: ArtifactContents, _ findings: inout RuleFindings
  ) throws(SignetError)

  /// Says what is wrong with the names in an archive that is in the artifact.
  func check(
    nested contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError)

  /// Says what is wrong with a file: one in an archive or in a directory, or an artifact that is neither.
  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError)

  /// Says what is wrong with a place where one of ``literals`` was found.
  func check(
    _ match: ContentMatch, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError)

  /// Says that the bytes of an archive's entry are not what the archive says of them, and could not be looked at.
  func check(
    _ damage: SignetError, of entry: String, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError)

  /// Says that something could not be searched.
  ///
  /// - Parameter entry: the entry of the artifact; nil for the artifact itself.
  func check(
    unsearched reason: SignetError, of entry: String?, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError)

  /// Says what is wrong with the release, once all artifacts were examined.
  func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError)
}

extension GateRule {
  package var literals: [[UInt8]] { [] }
  package func reach(of literal: Int) -> ContentMatch.Reach { .usual }
  package func check(
    nested contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {}
  package func check(
    unsearched reason: SignetError, of entry: String?, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {}
  package func check(
    _ artifact: ExaminedArtifact, _ contents: ArtifactContents, _ findings: inout RuleFindings
  ) throws(SignetError) {}
  package func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {}
  package func check(
    _ match: ContentMatch, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {}
  package func check(
    _ damage: SignetError, of entry: String, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {}
  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {}
}

/// What people and policies are told of a rule.
package struct RuleDescription: Sendable {
  /// The stable identifier: lower-case words with dashes.
  package let id: String
  /// What the rule demands, in a sentence without a period.
  package let title: String
  /// Why it demands it, and what to do about a finding.
  package let help: String
  /// The options that a policy can give the rule besides its level: the name of each, and what it means.
  package let options: [(name: String, meaning: String)]
  /// The level of its findings unless a policy gives another one; nil if it is off.
  package let usualLevel: GateReport.Level?

  package init(
    _ id: String, _ title: String, help: String, options: [(name: String, meaning: String)] = [],
    _ usualLevel: GateReport.Level?
  ) {
    self.id = id
    self.title = title
    self.help = help
    self.options = options
    self.usualLevel = usualLevel
  }
}

/// What one rule has found about one artifact, or about the release.
package struct RuleFindings: Sendable {
  private let rule: String
  private let level: GateReport.Level
  private let path: String?
  /// The findings, in the order in which they were noted.
  package private(set) var findings: [GateReport.Finding] = []
  /// The number of findings that were left out.
  private var omitted = 0
  /// The file whose places share the last finding, and how many of them were noted; nil if the last one is not shared.
  private var shared: (entry: String?, count: Int, isShown: Bool)?

  /// The maximum number of findings of a rule about one artifact. People fix the first ones, and run the gate again.
  private static let limit = 100

  /// - Parameter path: the artifact; nil for the release.
  package init(_ rule: String, _ level: GateReport.Level, about path: String?) {
    self.rule = rule
    self.level = level
    self.path = path
  }

  /// Notes what is wrong.
  ///
  /// - Parameters:
  ///   - message: what is wrong, lower case and without a period. It never contains a secret.
  ///   - other: another file than the artifact, for a rule about the release.
  ///   - entry: the entry of an archive or a directory.
  ///   - place: the line, offset or field.
  package mutating func note(
    _ message: String, about other: String? = nil, entry: String? = nil, place: String? = nil, code: String? = nil,
    expected: String? = nil, found: String? = nil, hint: String? = nil
  ) {
    shared = nil
    guard findings.count < Self.limit else {
      omitted += 1
      return
    }
    findings.append(
      GateReport.Finding(
        rule: rule, level: level, path: other ?? path, entry: entry, place: place, message: message, code: code,
        expected: expected, found: found, hint: hint))
  }

  /// Notes an error of another part of Signet.
  package mutating func note(
    _ error: SignetError, about other: String? = nil, entry: String? = nil, place: String? = nil
  ) {
    note(
      error.message, about: other, entry: entry, place: place, code: error.code.rawValue, expected: error.expected,
      found: error.found, hint: error.hint)
  }

  /// Notes one of several places in a file that have the same fault, one after the other. They share one finding, which
  /// shows the first place.
  ///
  /// - Parameter message: what is wrong, for the number of places.
  package mutating func noteShared(
    entry: String?, place: String? = nil, expected: String? = nil, found: String? = nil, hint: String? = nil,
    _ message: (Int) -> String
  ) {
    if var shared, Self.isSame(shared.entry, entry) {
      shared.count += 1
      self.shared = shared
      guard shared.isShown, let last = findings.popLast() else { return }
      findings.append(
        GateReport.Finding(
          rule: rule, level: level, path: last.path, entry: entry, place: last.place, message: message(shared.count),
          expected: last.expected, found: last.found, hint: last.hint))
      return
    }
    let isShown = findings.count < Self.limit
    note(message(1), entry: entry, place: place, expected: expected, found: found, hint: hint)
    shared = (entry, 1, isShown)
  }

  private static func isSame(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.isExactly(second)
  }

  /// The findings, with one more that says how many were left out.
  package var all: [GateReport.Finding] {
    guard omitted > 0 else { return findings }
    return findings + [
      GateReport.Finding(rule: rule, level: level, path: path, message: "has \(omitted) more findings of this rule")
    ]
  }
}
