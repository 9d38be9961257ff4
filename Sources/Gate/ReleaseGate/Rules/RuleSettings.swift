package import SignetBase

/// The rules that are in force, each with its level and its options.
public struct RuleSettings: Sendable {
  package struct Active: Sendable {
    package let rule: any GateRule
    package let about: RuleDescription
    package let level: GateReport.Level
  }

  /// The active rules, in the order of ``RuleList``.
  package let active: [Active]
  /// The search for the literals of all active rules, and behind them for the marks of containers.
  let search: LiteralSearch
  /// How many bytes around each literal of the search a match has.
  let reaches: [ContentMatch.Reach]
  /// Whether a rule wants the SHA-256 of every file.
  let wantsDigests: Bool
  /// The rule of each literal of the search, and the literal's index among the rule's own.
  let owners: [(rule: Placed<any LiteralRule>, literal: Int)]

  /// A rule, and its place in ``active``.
  struct Placed<Rule: Sendable>: Sendable {
    let place: Int
    let rule: Rule
  }

  /// The active rules by what they look at, each kind in the order of ``active``. A rule can be of several kinds.
  let ofArtifacts: [Placed<any ArtifactRule>]
  let ofContents: [Placed<any ContentsRule>]
  let ofFiles: [Placed<any FileRule>]
  let ofDamage: [Placed<any DamageRule>]
  let ofUnsearched: [Placed<any UnsearchedFileRule>]
  let ofReleases: [Placed<any ReleaseRule>]

  init(_ active: [Active]) {
    self.active = active
    ofArtifacts = Self.placed(active) { $0 as? any ArtifactRule }
    ofContents = Self.placed(active) { $0 as? any ContentsRule }
    ofFiles = Self.placed(active) { $0 as? any FileRule }
    ofDamage = Self.placed(active) { $0 as? any DamageRule }
    ofUnsearched = Self.placed(active) { $0 as? any UnsearchedFileRule }
    ofReleases = Self.placed(active) { $0 as? any ReleaseRule }
    var (literals, owners): ([[UInt8]], [(rule: Placed<any LiteralRule>, literal: Int)]) = ([], [])
    var reaches: [ContentMatch.Reach] = []
    for each in Self.placed(active, as: { $0 as? any LiteralRule }) {
      for (number, literal) in each.rule.literals.enumerated() {
        literals.append(literal)
        owners.append((each, number))
        reaches.append(each.rule.reach(of: number))
      }
    }
    search = LiteralSearch(literals + ContainerFormat.marks)
    self.reaches = reaches + ContainerFormat.marks.map { _ in .usual }
    self.owners = owners
    wantsDigests = active.contains { ($0.rule as? any DigestRule)?.wantsDigests ?? false }
  }

  /// The rules of one kind.
  private static func placed<Rule>(
    _ active: [Active], as kind: (any GateRule) -> Rule?
  ) -> [Placed<Rule>] {
    active.enumerated().compactMap { place, each in kind(each.rule).map { Placed(place: place, rule: $0) } }
  }

  /// Every rule with its usual level and options.
  public init() {
    self.init(
      RuleList.all.compactMap { type in
        guard let level = type.about.usualLevel, let rule = Self.usual(type) else { return nil }
        return Active(rule: rule, about: type.about, level: level)
      })
  }

  /// A rule without options. None is required, so a rule that cannot be made so is a fault of Signet. It must not be
  /// left out in silence.
  private static func usual(_ type: any GateRule.Type) -> (any GateRule)? {
    var options = RuleOptions.none
    let rule = try? type.init(&options)
    precondition(rule != nil, "the rule \(type.about.id) cannot be made without options")
    return rule
  }

  /// Reads the field `rules` of a policy: a level, or an object with a level and options, for each rule it names.
  ///
  /// - Throws: `json.…`, `policy.unknown-field` for a rule that is not known.
  package init(_ object: JSONObject?) throws(SignetError) {
    guard var object else {
      self.init()
      return
    }
    var active: [Active] = []
    for type in RuleList.all {
      var options = try RuleOptions(object.optional(type.about.id), in: object, type.about)
      let rule = try type.init(&options)
      try options.finish()
      if let level = options.level { active.append(Active(rule: rule, about: type.about, level: level)) }
    }
    try object.finish()
    self.init(active)
  }
}
