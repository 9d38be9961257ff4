internal import ReleaseGate
internal import SignetBase

/// The findings of a report, grouped by rule and by file in one pass.
struct FindingGroups {
  /// The findings of a rule, or about a file.
  struct Group {
    /// The positions of the findings in the report, in order.
    fileprivate(set) var positions: [Int] = []
    /// The number of errors.
    fileprivate(set) var errors = 0
    /// The number of warnings.
    var warnings: Int { positions.count - errors }
    /// The gravest level.
    var level: GateReport.Level { errors > 0 ? .error : .warning }

    fileprivate mutating func add(_ position: Int, _ level: GateReport.Level) {
      positions.append(position)
      if level == .error { errors += 1 }
    }
  }

  /// A rule, and what it found. The title and the help are missing if the report does not describe the rule.
  struct RuleGroup {
    let id: String
    let rule: GateReport.Rule?
    fileprivate(set) var group = Group()
  }

  /// A file, and what is wrong with it. The path is nil for the release itself.
  struct FileGroup {
    let path: String?
    fileprivate(set) var group = Group()
  }

  /// Every rule that was in force, in the report's order, then others that findings name.
  private(set) var rules: [RuleGroup]
  /// Every file with findings, in the report's order.
  private(set) var files: [FileGroup] = []
  /// The rule of each finding, as a position in `rules`.
  private(set) var ruleOfFinding: [Int] = []
  /// All findings.
  private(set) var total = Group()
  private var fileNumbers: [ExactKey?: Int] = [:]

  /// Groups the findings.
  init(_ report: GateReport) {
    rules = report.rules.map { RuleGroup(id: $0.id, rule: $0) }
    var ruleNumbers: [ExactKey: Int] = [:]
    for (number, rule) in report.rules.enumerated() { ruleNumbers[ExactKey(rule.id)] = number }
    for (position, finding) in report.findings.enumerated() {
      let rule = ruleNumbers[ExactKey(finding.rule)] ?? rules.count
      if rule == rules.count {
        ruleNumbers[ExactKey(finding.rule)] = rule
        rules.append(RuleGroup(id: finding.rule, rule: nil))
      }
      let path = finding.path.map(ExactKey.init)
      let file = fileNumbers[path] ?? files.count
      if file == files.count {
        fileNumbers[path] = file
        files.append(FileGroup(path: finding.path))
      }
      rules[rule].group.add(position, finding.level)
      files[file].group.add(position, finding.level)
      total.add(position, finding.level)
      ruleOfFinding.append(rule)
    }
  }

  /// The position in `files` of a file with findings.
  func number(of path: String) -> Int? { fileNumbers[ExactKey(path)] }
}
