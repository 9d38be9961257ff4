internal import Keyless
public import Signet
public import SignetBase

/// A release policy: who must have signed a release, which files are left out, and how grave the findings of each rule
/// are.
///
/// It is a JSON file, `urn:signet:release-policy` in docs/gate.md. One digest pins all of it, because the trust policy
/// is in it.
public struct ReleasePolicy: Sendable {
  /// Who must have signed the artifacts.
  public let trust: TrustPolicy
  /// The files that are left out.
  public let exclusions: [PathPattern]
  /// What the rules are told.
  public let settings: RuleSettings
  /// What a person has still to look at before the policy lets anything pass.
  public let reviews: [String]

  /// Creates a policy: each rule has its usual level and options, unless others are given.
  package init(
    trust: TrustPolicy, exclusions: [PathPattern] = [], settings: RuleSettings = RuleSettings(),
    reviews: [String] = []
  ) {
    self.trust = trust
    self.exclusions = exclusions
    self.settings = settings
    self.reviews = reviews
  }

  /// The maximum number of patterns, and of review marks.
  private static let listLimit = 1000
  /// The version of the format that Signet reads and writes.
  static let version = 1

  /// Reads a policy: a release policy, or a trust policy alone, under which each rule has its usual settings.
  ///
  /// - Throws: `policy.malformed`, `policy.unknown-field`, `policy.version`, and what
  ///   `TrustPolicy.init(json:allowsTestKeys:with:)` throws. The error's object gives line and column.
  public init(json text: [UInt8], allowsTestKeys: Bool = false) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(text, limits: .policy)
      var object = try JSONObject(value, "policy", unknownField: .policyUnknownField, in: text)
      guard object.has("trust") else {
        self.init(trust: try TrustPolicy(json: text, allowsTestKeys: allowsTestKeys, with: .all))
        return
      }
      let version = try object.count("version")
      guard version == Self.version else {
        throw SignetError(
          .policyVersion, object.path(of: "version"), "is not a supported version", expected: "\(Self.version)",
          found: "\(version)")
      }
      let trust = try TrustPolicy(object.object("trust"), allowsTestKeys: allowsTestKeys, with: .all)
      var exclusions: [PathPattern] = []
      for text in try object.strings("exclude", atMost: Self.listLimit) {
        guard let pattern = PathPattern(text) else {
          throw object.wrong("exclude", "patterns such as *.md or docs/**", text)
        }
        exclusions.append(pattern)
      }
      let settings = try RuleSettings(object.optionalObject("rules"))
      let reviews = try object.strings("review", atMost: Self.listLimit)
      try object.finish()
      self.init(trust: trust, exclusions: exclusions, settings: settings, reviews: reviews)
    } catch  where Set.aboutJSON.contains(error.code) || error.code == .base64Malformed {
      throw SignetError(
        .policyMalformed, error.object, error.message, expected: error.expected, found: error.found,
        cause: error.cause, hint: "correct it; docs/gate.md describes the form")
    }
  }
}
