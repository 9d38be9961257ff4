public import ReleaseGate
internal import SignetBase
internal import SignetCrypto

/// A summary in GitHub Flavored Markdown, for `$GITHUB_STEP_SUMMARY` and for comments.
///
/// Every text from the report is in code style, so none can be Markdown or HTML.
public struct MarkdownSummary: ReportFormat {
  /// `markdown`.
  public static let name = "markdown"
  /// GitHub drops a step's summary of more than 1 MiB. The rest is left to what else the step writes.
  static let sizeLimit = 1_000_000
  /// The differences inside a file that are shown.
  private static let detailLimit = 10
  private let sizeLimit: Int

  /// Creates the format.
  public init() { self.init(sizeLimit: Self.sizeLimit) }

  init(sizeLimit: Int) { self.sizeLimit = sizeLimit }

  /// Writes a report, without the last rows of its tables if it would be too long.
  public func text(of report: GateReport) -> [UInt8] {
    let sections = [Self.findings(report), Self.artifacts(report), Self.changes(report)].compactMap(\.self)
    let head = Self.head(report)
    // Whatever is left out, the heads of the sections and the lines that say so have their place.
    let fixed = sections.reduce(head.utf8.count) { $0 + $1.head.utf8.count + $1.notice(shown: 0).utf8.count }
    var room = sizeLimit - fixed
    var text = head
    for section in sections {
      var shown = 0
      text += section.head
      for row in section.rows {
        guard row.utf8.count <= room else { break }
        room -= row.utf8.count
        text += row
        shown += 1
      }
      text += section.notice(shown: shown)
    }
    return Array(text.utf8)
  }

  private static func head(_ report: GateReport) -> String {
    let words = ReportWords(report)
    let policy = CodeSpan(report.policy.name.display)
    return """
      # Signet gate: \(words.verdict)

      - \(words.findings)
      - \(words.files)
      - checked at \(report.time) by Signet \(CodeSpan(report.version)) with the policy \(policy)

      """
  }

  private static func findings(_ report: GateReport) -> Section? {
    let rows = ReportWords.gravestFirst(report.findings, \.self).map { finding in
      let words = FindingText(finding)
      // Each in a line of its own, behind its word: a cell of a table is narrow.
      let labelled = words.evidence + (words.hint.map { [("next", $0)] } ?? [])
      let lines = labelled.map { "<br>\($0.word) \(CodeSpan($0.text))" }.joined()
      let path = finding.path.map { "\(CodeSpan($0.distinct))" } ?? ReportWords.release
      return row(["\(finding.level)", "\(CodeSpan(finding.rule))", path, "\(CodeSpan(words.headline))\(lines)"])
    }
    return Section("Findings", columns: ["Level", "Rule", "File", "Finding"], rows: rows, noun: "findings")
  }

  private static func artifacts(_ report: GateReport) -> Section? {
    let rows = report.artifacts.map { checked in
      let (file, artifact) = (checked.file, checked.artifact)
      let module = artifact.module.map { "\($0.identifier) \($0.version), sequence \($0.sequence)" }
      let kind = (module ?? artifact.verified?.kind.word).map { "\(CodeSpan($0.display))" } ?? "unknown"
      let signers = artifact.signers.map { "\(CodeSpan(SignerWords($0).full.display))" }
      return row([
        checked.state.words, "\(CodeSpan(file.path.distinct))", kind,
        signers.isEmpty ? "no trusted signer" : signers.joined(separator: "<br>"), "\(CodeSpan(file.sha256.hex))",
      ])
    }
    return Section(
      "Artifacts", columns: ["Result", "Artifact", "Kind", "Signed by", "SHA-256"], rows: rows, noun: "artifacts")
  }

  private static func changes(_ report: GateReport) -> Section? {
    guard let comparison = report.comparison else { return nil }
    let rows = comparison.changes.map { change in
      var details = change.details.prefix(detailLimit).map { "\(CodeSpan($0.display))" }
      if change.details.count > detailLimit {
        details.append("and \(Amount.number(change.details.count - detailLimit)) more")
      }
      return row([change.kind.rawValue, "\(CodeSpan(change.path.distinct))", details.joined(separator: "<br>")])
    }
    let title = "Changes since \(CodeSpan(comparison.baseline.display))"
    return Section(title, columns: ["Change", "File", "Details"], rows: rows, noun: "changes")
  }

  private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  /// A table with its title; nil if it has no rows.
  private struct Section {
    let head: String
    let rows: [String]
    private let noun: String

    init?(_ title: String, columns: [String], rows: [String], noun: String) {
      guard !rows.isEmpty else { return nil }
      head = "\n## \(title)\n\n\(row(columns))\(row(columns.map { _ in "---" }))"
      self.rows = rows
      self.noun = noun
    }

    /// The line that says how much is left out, if anything is.
    func notice(shown: Int) -> String {
      let count = rows.count - shown
      guard count > 0 else { return "" }
      let amount = "\(Amount.number(count)) of \(Amount.number(rows.count)) \(noun)"
      return "\n\(amount) \(Amount.word(count, "is", "are")) left out, because GitHub takes 1 MiB at most.\n"
    }
  }
}
