public import ReleaseGate
internal import SignetBase

/// Workflow commands of GitHub Actions, one a line, which become annotations of the run.
///
/// GitHub keeps the first 10 errors and the first 10 warnings of a step, so the gravest come first. The runner takes
/// every line for a command that begins with `::`; every line that is written here begins with one of ours, and no text
/// from outside has a line break in it.
public struct GitHubAnnotations: ReportFormat {
  /// `github`.
  public static let name = "github"
  /// The annotations of each level that GitHub shows of a step.
  private static let shown = 10

  /// Creates the format.
  public init() {}

  /// Writes a report.
  public func text(of report: GateReport) -> [UInt8] {
    var text = ""
    for finding in ReportWords.gravestFirst(report.findings, \.self) { text += Self.command(finding, in: report) }
    return Array((text + Self.summary(of: report)).utf8)
  }

  private static func command(_ finding: GateReport.Finding, in report: GateReport) -> String {
    let words = FindingText(finding)
    let path = finding.path.flatMap { $0.isEmpty ? nil : report.workspacePath(of: $0).distinct }
    return command(
      "\(finding.level)",
      [("file", path), ("line", words.lineNumber.map { "\($0)" }), ("title", "Signet gate: \(finding.rule)")],
      ["\(ReportWords.subject(of: finding)): \(words.line)"] + [words.hint.map { "hint: \($0)" }].compactMap(\.self))
  }

  private static func summary(of report: GateReport) -> String {
    let words = ReportWords(report)
    var lines = ["\(words.verdict): \(words.findings); \(words.files)"]
    let most = GateReport.Level.allCases.map { level in report.findings.count { $0.level == level } }.max() ?? 0
    if most > shown {
      lines.append("GitHub shows \(shown) errors and \(shown) warnings of a step; the step's log has all.")
    }
    return command("notice", [("title", "Signet gate")], lines)
  }

  /// A command with its properties and the lines of its message.
  ///
  /// The escapes are those of actions/toolkit. The `%` is one of them, so a name cannot bring its own `%0A`.
  private static func command(_ name: String, _ properties: [(String, String?)], _ lines: [String]) -> String {
    let properties = properties.compactMap { key, value in value.map { "\(key)=\(property($0))" } }
    return "::\(name) \(properties.joined(separator: ","))::\(lines.map(data).joined(separator: "%0A"))\n"
  }

  private static func data(_ text: String) -> String { text.visible.replacingScalars { $0 == "%" ? "%25" : nil } }

  private static func property(_ text: String) -> String {
    data(text).replacingScalars { scalar in
      switch scalar {
      case ":": "%3A"
      case ",": "%2C"
      default: nil
      }
    }
  }
}
