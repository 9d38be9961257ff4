internal import GateReports
internal import ReleaseGate
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

/// A report for people at a terminal: one line an artifact, then the findings by rule, then the verdict.
struct GateTable {
  private let report: GateReport
  private let table: FileTable

  init(_ report: GateReport) {
    self.report = report
    table = FileTable(
      report.artifacts.map(Self.name), FileTable.Widths(name: 48, middle: 28), width: StandardStream.output.columns)
  }

  /// Prints the report; if quiet, only what refuses the release, to standard error.
  func print(to console: Console) throws(SignetError) {
    guard !console.isJSON else { return }
    if console.isQuiet {
      let lines = findings(from: report.failingLevel).drop { $0.isEmpty } + [verdict]
      if !report.isClean { Console.message(lines.joined(separator: "\n")) }
      return
    }
    let next = report.isClean ? [] : ["  why      signet gate --explain RULE says why a rule exists, and what to do"]
    try console.result(artifacts + exclusions + findings(from: .warning) + [verdict] + next)
  }

  private var artifacts: [String] {
    report.artifacts.flatMap { checked in
      let (mark, name, artifact) = (Self.mark(checked.state), Self.name(checked), checked.artifact)
      if checked.state == .refused || !artifact.isVerified, let first = checked.deciding {
        let others = checked.decidingCount - 1
        let more = others > 0 ? " and \(Amount.number(others)) more" : ""
        return table.lines(mark, name, Self.phrase(first) + more, more: first.code ?? first.rule)
      }
      guard artifact.isVerified else { return table.lines(mark, name, checked.state.words) }
      let signers = artifact.signers.map(Self.name).joined(separator: ", ")
      return table.lines(mark, name, signers, more: Self.kind(artifact))
    }
  }

  private static func mark(_ state: GateReport.State) -> String {
    switch state {
    case .clean, .warned: Console.good()
    case .unverified: Console.caution()
    case .refused: Console.bad(.output)
    }
  }

  private static func name(_ checked: GateReport.CheckedArtifact) -> String {
    ReportWords.name(of: checked.file.path)
  }

  /// What each pattern leaves out: nobody has looked at it.
  private var exclusions: [String] {
    var patterns: [(pattern: String, first: String, count: Int)] = []
    for file in report.files {
      guard case .excluded(let pattern) = file.role else { continue }
      if let index = patterns.firstIndex(where: { $0.pattern.isExactly(pattern) }) {
        patterns[index].count += 1
      } else {
        patterns.append((pattern, file.path, 1))
      }
    }
    return patterns.map { each in
      let more = each.count > 1 ? ", and \(Amount.number(each.count - 1)) more" : ""
      return "  left out  \(each.pattern.display): \(ReportWords.name(of: each.first))\(more)"
    }
  }

  /// What refuses an artifact, in a few words.
  private static func phrase(_ finding: GateReport.Finding) -> String {
    finding.code.map { VerdictList.phrase($0, finding.message) } ?? finding.message.display
  }

  /// A signer by name. A key that was given alone has none, and is shortened.
  private static func name(_ signer: GateReport.Signer) -> String {
    SignerWords(signer).name?.display ?? "\(signer.algorithm) \(SignerName.short(signer.keyID))"
  }

  private static func kind(_ artifact: GateReport.Artifact) -> String {
    guard let module = artifact.module else { return artifact.verified?.kind.word.display ?? "" }
    return "\(module.identifier) \(module.version), sequence \(module.sequence)"
  }

  /// The findings of a level and of graver ones, rule by rule, the rules that refuse the release first.
  private func findings(from level: GateReport.Level) -> [String] {
    let rules = report.rules.filter { rule in
      rule.level >= level && report.findings.contains { $0.rule.isExactly(rule.id) }
    }
    let sorted = rules.filter { $0.level == .error } + rules.filter { $0.level == .warning }
    return sorted.flatMap { rule in
      ["", "\(rule.level): rule \(rule.id) demands: \(rule.title)"]
        + report.findings.filter { $0.rule.isExactly(rule.id) }.flatMap(Self.lines)
    }
  }

  private static func lines(_ finding: GateReport.Finding) -> [String] {
    let place = ([ReportWords.subject(of: finding)] + [finding.entry, finding.place].compactMap { $0?.display })
      .joined(separator: ": ")
    let code = finding.code.map { " [\($0)]" } ?? ""
    var lines = ["  \(place): \(finding.message.display)\(code)"]
    if let expected = finding.expected { lines.append("    expected  \(expected.display)") }
    if let found = finding.found { lines.append("    found     \(found.display)") }
    if let hint = finding.hint { lines.append("    next      \(hint.display)") }
    return lines
  }

  private var verdict: String {
    let words = ReportWords(report)
    let mark = report.isClean ? Console.good() : Console.bad(.output)
    return "\(report.findings.isEmpty ? "" : "\n")\(mark) \(words.verdict)  \(words.files); \(words.findings)"
  }
}
