public import SignetBase
public import SignetCrypto

/// The result of a gate: every file of the release, every finding, and the verdict.
///
/// A report is a value that depends on the release, the policy and the clock alone. The formats of GateReports write it
/// for people and for programs.
public struct GateReport: Sendable {
  /// The time at which the release was checked.
  public let time: UnixTime
  /// The policy that decided.
  public let policy: Policy
  /// The version of Signet that checked.
  public let version: String
  /// Every file below the paths, sorted by the bytes of their paths.
  public let files: [File]
  /// Every folder below the paths that is no artifact and belongs to none, sorted by the bytes of their paths.
  public let folders: [Folder]
  /// The rules that were in force, in the order of the list of all rules.
  public let rules: [Rule]
  /// The artifacts among the files, in their order, and what the check says of each.
  public let artifacts: [CheckedArtifact]
  /// What is wrong: sorted by path, then by rule, then by place. Findings without a path come first. If there are more
  /// than a report can hold, the last one counts the others.
  public let findings: [Finding]
  /// What changed since the last release; nil if none was given.
  public let comparison: Comparison?
  /// The lowest level that refuses the release.
  public let failingLevel: Level
  /// The twelve mode bits of each folder that was checked, in the order in which they were given.
  public let rootModes: [UInt32]
  /// Where the folders are in the workspace of a service.
  package let workspace: Workspace

  /// Creates a report of what was found out.
  ///
  /// - Parameter findings: as many as a report can hold.
  init(
    time: UnixTime, policy: Policy, version: String, files: [File], folders: [Folder], rules: [Rule],
    artifacts: [CheckedArtifact], findings: [Finding], comparison: Comparison?, failingLevel: Level,
    rootModes: [UInt32], workspace: Workspace
  ) {
    self.time = time
    self.policy = policy
    self.version = version
    self.files = files
    self.folders = folders
    self.rules = rules
    self.artifacts = artifacts
    self.findings = findings
    self.comparison = comparison
    self.failingLevel = failingLevel
    self.rootModes = rootModes
    self.workspace = workspace
  }

  /// A path of the release as a service takes it that shows findings beside files.
  package func workspacePath(of path: String) -> String { workspace.path(of: path) }

  /// Whether nothing keeps the release from its users.
  public var isClean: Bool { !findings.contains { $0.level >= failingLevel } }

  /// How grave a finding is.
  public enum Level: Int, Comparable, Sendable, CaseIterable, CustomStringConvertible {
    /// It is shown, and refuses nothing unless `--fail-on warning` says so.
    case warning = 1
    /// It refuses the release.
    case error = 2

    /// The word in policies and reports.
    public var description: String { self == .error ? "error" : "warning" }

    /// Whether the first level is less grave.
    public static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
  }

  /// The policy that decided.
  public struct Policy: Sendable {
    /// What the user calls it: a path, or the option that gave a key.
    public let name: String
    /// The SHA-256 of its file, or nil.
    public let sha256: Digest?

    /// Creates a reference to a policy.
    public init(name: String, sha256: Digest?) {
      self.name = name
      self.sha256 = sha256
    }
  }

  /// A rule that was in force.
  public struct Rule: Sendable {
    /// The stable identifier, such as `private-key`.
    public let id: String
    /// What the rule demands, in a sentence.
    public let title: String
    /// Why it does, and what to do about a finding, in a paragraph.
    public let help: String
    /// How grave its findings are.
    public let level: Level

    /// Creates a rule.
    package init(id: String, title: String, help: String, level: Level) {
      self.id = id
      self.title = title
      self.help = help
      self.level = level
    }
  }
}
