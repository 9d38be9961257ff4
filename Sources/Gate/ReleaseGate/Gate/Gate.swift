public import Signet
public import SignetBase
public import SignetSystem

/// The gate between a build and its users: it checks a whole release against a policy.
///
/// Nothing passes for want of looking. What cannot be read, what changes while it is looked at, and a rule that fails
/// end in an error, not in a clean report.
public struct Gate: Sendable {
  private let policy: ReleasePolicy
  private let policyReference: GateReport.Policy
  /// Read once for each release.
  private let clock: VerificationClock
  private let version: String
  private let options: Options

  /// What a caller can ask for besides the policy.
  public struct Options: Sendable {
    /// The lowest level that refuses a release.
    public var failingLevel = GateReport.Level.error
    /// Whether a folder may have no artifact.
    public var allowsEmpty = false
    /// Patterns of files that are left out, besides those of the policy.
    public var exclusions: [PathPattern] = []
    /// The folder with the last release; nil for none.
    public var baseline: String?
    /// The folder with a second build of the same release; nil for none.
    public var rebuild: String?
    /// The paths of files that decide, such as a policy or a public key. They may not be below the folders, because a
    /// change to the release could change them, too. Leave out what is pinned by its digest or ID.
    public var outsideFiles: [String] = []
    /// The folder that SARIF and the reports for GitHub and GitLab name files from; nil for the checkout of git that
    /// holds the release, or the release's folder.
    public var pathsFrom: String?

    /// Creates the usual options.
    public init() {}
  }

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - policy: the policy.
  ///   - reference: what the user calls the policy, and its digest.
  ///   - clock: the source of the time.
  ///   - version: the version of the program, for reports.
  ///   - options: what else is asked for.
  public init(
    policy: ReleasePolicy, called reference: GateReport.Policy, clock: VerificationClock, version: String,
    options: Options = Options()
  ) {
    self.policy = policy
    policyReference = reference
    self.clock = clock
    self.version = version
    self.options = options
  }

  /// Checks a release.
  ///
  /// - Parameters:
  ///   - folders: the folders of the release. Paths in the report are relative to each of them.
  ///   - progress: counts the artifacts' bytes as they are hashed.
  /// - Returns: the report. The same release, policy and time give the same report.
  /// - Throws: if the release could not be checked: `gate.review`, `gate.empty`, `gate.policy-place`,
  ///   `gate.duplicate-path`, `gate.link`, `gate.special-file`, `path.…`, `directory.…`, `file.…`, `archive.…`,
  ///   `extraction.failed`, `crypto.failure`.
  public func check(_ folders: [String], progress: ProgressCounter? = nil) throws(SignetError) -> GateReport {
    try checkReviewed()
    let now = clock.now()
    let exclusions = policy.exclusions + options.exclusions
    let workspace = try Workspace(of: folders, from: options.pathsFrom)
    let files = try ReleaseFiles(in: folders, excluding: exclusions)
    try checkPlaces(files, folders)
    try checkDistinct(files, options.baseline, as: "the last release")
    try checkDistinct(files, options.rebuild, as: "the second build")
    let inspector = Inspector(
      verifier: Verifier(policy: policy.trust, clock: .fixed(now)), settings: policy.settings, progress: progress)
    let inspected = try inspector.inspect(files)
    let baseline = try baseline(inspector, exclusions)
    let rebuild = try options.rebuild.map { (folder) throws(SignetError) in
      // A second build has no signatures that say which directories are artifacts.
      try ReleaseFiles(
        in: [folder], excluding: exclusions, wholes: inspected.artifacts.filter(\.isDirectory).map(\.path))
    }
    let release = try ExaminedRelease(
      files: files, artifacts: inspected.artifacts, time: now, policy: policy.trust, baseline: baseline,
      rebuild: rebuild)
    var findings = inspected.findings
    for each in policy.settings.ofReleases {
      let active = policy.settings.active[each.place]
      var found = RuleFindings(active.about.id, active.level, about: nil)
      try each.rule.check(release, &found)
      findings += found.all
    }
    // What was changed while it was checked may have been looked at before and after.
    for each in [files, baseline?.files, rebuild].compactMap(\.self) { try each.checkUnchanged() }
    return GateReport(
      time: now, policy: policyReference, version: version, files: inspected.files, folders: inspected.folders,
      rules: policy.settings.active.map {
        GateReport.Rule(id: $0.about.id, title: $0.about.title, help: $0.about.help, level: $0.level)
      },
      findings: findings.inOrder(of: policy.settings.active.map(\.about.id)),
      comparison: baseline.map {
        ReleaseComparison.compare(release.pairs, baselineName: $0.name)
      },
      failingLevel: options.failingLevel, rootModes: files.topFolderModes, workspace: workspace.knowing(files))
  }

  /// Compares two releases by what trusted signers say of them, and by their bytes.
  ///
  /// - Parameters:
  ///   - old: the folder of the earlier release.
  ///   - new: the folder of the later one.
  ///   - progress: counts the artifacts' bytes as they are hashed.
  /// - Throws: what ``check(_:progress:)`` throws.
  public func compare(
    _ old: String, _ new: String, progress: ProgressCounter? = nil
  ) throws(SignetError) -> GateReport.Comparison {
    let inspector = Inspector(
      verifier: Verifier(policy: policy.trust, clock: .fixed(clock.now())), settings: policy.settings,
      progress: progress)
    var artifacts: [[ExaminedArtifact]] = []
    for folder in [old, new] {
      let files = try ReleaseFiles(in: [folder], excluding: policy.exclusions + options.exclusions)
      artifacts.append(try inspector.artifacts(of: files))
      try files.checkUnchanged()
    }
    return ReleaseComparison.compare(artifacts[0], artifacts[1], baselineName: old)
  }

  private func baseline(
    _ inspector: Inspector, _ exclusions: [PathPattern]
  ) throws(SignetError) -> ExaminedRelease.Baseline? {
    guard let folder = options.baseline else { return nil }
    let files = try ReleaseFiles(in: [folder], excluding: exclusions)
    let artifacts = try inspector.artifacts(of: files)
    return ExaminedRelease.Baseline(name: folder, files: files, artifacts: artifacts)
  }

  private func checkReviewed() throws(SignetError) {
    guard let first = policy.reviews.first else { return }
    throw SignetError(
      .gateReview, policyReference.name,
      "has \(Amount.of(policy.reviews.count, "point", "points")) that a person has to look at",
      expected: "no `review`", found: first, hint: "look at each, correct the policy, and remove it from `review`")
  }

  private func checkPlaces(_ files: ReleaseFiles, _ folders: [String]) throws(SignetError) {
    for path in options.outsideFiles {
      guard let found = files.path(of: FileStatus.identities(of: [path])) else { continue }
      throw SignetError(
        .gatePolicyPlace, path, "is a file of the release that it judges", expected: "a file outside the release",
        found: found, hint: "keep it elsewhere, or pin it: --policy-sha256 for a policy, --key-id for a key")
    }
    guard !folders.isEmpty || options.allowsEmpty else {
      throw SignetError(.gateEmpty, "release", "has no folders", expected: "one or more")
    }
    for (number, folder) in folders.enumerated() where !options.allowsEmpty && !files.hasArtifacts(inFolder: number) {
      throw SignetError(
        .gateEmpty, folder, "has nothing to check", expected: "one artifact or more",
        hint: "check the path and the exclusions")
    }
  }
}

extension Gate {
  /// Checks that a folder to compare with is another one: a release is always equal to itself.
  private func checkDistinct(_ files: ReleaseFiles, _ folder: String?, as what: String) throws(SignetError) {
    guard let folder, let shared = files.folder(sharedWith: folder) else { return }
    throw SignetError(
      .gateSameFolder, folder, "is a folder of the release, or holds it", expected: "a folder with \(what)",
      found: shared, hint: "name the folder with \(what)")
  }
}

extension [GateReport.Finding] {
  /// The findings as a report has them: without a path first, then by path, rule, entry and place.
  fileprivate func inOrder(of rules: [String]) -> [GateReport.Finding] {
    var ranks: [String: Int] = [:]
    for (rank, rule) in rules.enumerated() { ranks[rule] = rank }
    return enumerated().map { (rank: ranks[$0.element.rule] ?? rules.count, number: $0.offset, finding: $0.element) }
      .sorted { first, second in
        let (path, other) = (first.finding.path ?? "", second.finding.path ?? "")
        guard path.isExactly(other) else { return path.precedesInBytes(other) }
        // What a rule has found stays in its order: that of the entries, and of the places in them.
        return (first.rank, first.number) < (second.rank, second.number)
      }
      .map(\.finding)
  }
}
