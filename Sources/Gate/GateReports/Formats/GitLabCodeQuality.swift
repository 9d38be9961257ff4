public import ReleaseGate
public import SignetBase

/// GitLab's Code Quality report: a list of findings, of which GitLab reads these fields and no others.
///
/// The report has every finding, the gravest first. GitLab ignores everything behind an element that lacks a field, so a
/// finding about the release as a whole has the path `(release)`, and one without a line has line 1.
public struct GitLabCodeQuality: ReportFormat {
  /// `gitlab`.
  public static let name = "gitlab"

  /// Creates the format.
  public init() {}

  /// Writes a report.
  public func text(of report: GateReport) throws(SignetError) -> [UInt8] {
    let fingerprints = try FindingFingerprints.of(report.findings)
    let findings = ReportWords.gravestFirst(Array(zip(report.findings, fingerprints)), \.0)
    let elements = findings.map { finding, fingerprint in
      let words = FindingText(finding)
      let path = finding.path.flatMap { $0.isEmpty ? nil : report.workspacePath(of: $0).distinct } ?? "(release)"
      return JSONValue.object(
        ("description", .string(words.line)), ("check_name", .string(finding.rule)),
        ("fingerprint", .string(fingerprint)), ("severity", .string(Self.severity(of: finding, in: report))),
        (
          "location",
          .object(
            ("path", .string(path)), ("lines", .object(("begin", .integer(words.lineNumber ?? 1)))))
        ))
    }
    return try CanonicalJSON.write(.array(elements)) + [UInt8(ascii: "\n")]
  }

  /// GitLab's word for what refuses a release is `blocker`.
  private static func severity(of finding: GateReport.Finding, in report: GateReport) -> String {
    finding.level >= report.failingLevel ? "blocker" : "minor"
  }
}
