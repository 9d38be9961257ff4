public import ReleaseGate
public import SignetBase
internal import SignetCrypto

/// SARIF 2.1.0 (OASIS, errata 01), as GitHub's code scanning takes it.
///
/// GitHub refuses a whole file in which one result has no file. A finding about the release as a whole therefore gets
/// the location `(release)`.
public struct SARIFReport: ReportFormat {
  /// `sarif`.
  public static let name = "sarif"
  /// The number of results in a run beyond which GitHub refuses the file; it shows the 5,000 gravest.
  static let resultLimit = 25_000
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  private let resultLimit: Int

  /// Creates the format.
  public init() { self.init(resultLimit: Self.resultLimit) }

  init(resultLimit: Int) { self.resultLimit = resultLimit }

  /// Writes a report.
  public func text(of report: GateReport) throws(SignetError) -> [UInt8] {
    let fingerprints = try FindingFingerprints.of(report.findings)
    let results = ReportWords.gravestFirst(Array(zip(report.findings, fingerprints)), \.0).prefix(resultLimit)
    let driver = JSONValue.object(
      ("name", .string("Signet")), ("version", .string(report.version)),
      ("rules", .array(report.rules.map(Self.rule))))
    let run = JSONValue.object(
      ("tool", .object(("driver", driver))),
      ("invocations", .array([Self.invocation(report, leftOut: report.findings.count - results.count)])),
      ("results", .array(results.map { Self.result($0, fingerprint: $1, in: report) })),
      ("properties", Self.properties(report)))
    return try CanonicalJSON.write(
      .object(("$schema", .string(Self.schema)), ("version", .string("2.1.0")), ("runs", .array([run]))))
      + [UInt8(ascii: "\n")]
  }

  private static func rule(_ rule: GateReport.Rule) -> JSONValue {
    .object(
      ("id", .string(rule.id)), ("shortDescription", text(SARIFText.description(rule.title))),
      ("fullDescription", text(SARIFText.description(rule.help))), ("help", text(SARIFText.message(rule.help))),
      ("defaultConfiguration", .object(("level", .string("\(rule.level)")))),
      ("properties", .object(("tags", .array([.string("security")])))))
  }

  private static func result(
    _ finding: GateReport.Finding, fingerprint: String, in report: GateReport
  ) -> JSONValue {
    let words = FindingText(finding)
    let message = "\(ReportWords.subject(of: finding)): \(words.line)." + (words.hint.map { " Hint: \($0)." } ?? "")
    return .object(
      ("ruleId", .string(finding.rule)),
      ("ruleIndex", report.rules.firstIndex { $0.id.isExactly(finding.rule) }.map { .integer($0) }),
      ("level", .string("\(finding.level)")), ("message", text(SARIFText.message(message))),
      ("locations", .array([location(finding, line: words.lineNumber, in: report)])),
      // The first name is the only one that GitHub looks at; the second says what was hashed.
      (
        "partialFingerprints",
        .object(("primaryLocationLineHash", .string(fingerprint)), ("signetFinding/v1", .string(fingerprint)))
      ))
  }

  private static func location(_ finding: GateReport.Finding, line: Int?, in report: GateReport) -> JSONValue {
    let path = finding.path ?? ""
    let uri = path.isEmpty ? "(release)" : ReleasePath.uri(of: report.workspacePath(of: path))
    let physical = JSONValue.object(
      ("artifactLocation", .object(("uri", .string(uri)))),
      ("region", line.map { .object(("startLine", .integer($0))) }))
    let entry = finding.entry.map { JSONValue.object(("fullyQualifiedName", .string($0.distinct))) }
    return .object(("physicalLocation", physical), ("logicalLocations", entry.map { .array([$0]) }))
  }

  /// The run of the program, which was successful even where it refused the release.
  private static func invocation(_ report: GateReport, leftOut: Int) -> JSONValue {
    let count = Amount.of(leftOut, "result was", "results were")
    let notice = JSONValue.object(
      ("level", .string("warning")), ("message", text("\(count) left out, none graver than the others.")))
    return .object(
      ("executionSuccessful", JSONValue(.bool(true))), ("endTimeUtc", .string("\(report.time)")),
      ("toolExecutionNotifications", leftOut > 0 ? .array([notice]) : nil))
  }

  private static func properties(_ report: GateReport) -> JSONValue {
    .object(
      ("verdict", .string(ReportWords(report).verdict)), ("policy", .string(report.policy.name.display)),
      ("policySHA256", report.policy.sha256.map { .string($0.hex) }))
  }

  private static func text(_ text: String) -> JSONValue { .object(("text", .string(text))) }
}
