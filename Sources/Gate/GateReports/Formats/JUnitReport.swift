public import ReleaseGate
internal import SignetBase
internal import SignetCrypto

/// JUnit XML, as Jenkins and GitLab read it: a test case for the release, then one for each artifact.
///
/// Findings that refuse the release are the failure of their artifact's case, the others its output. What is about no
/// artifact is in the case of the release. A case has one failure at most: Jenkins reads no second one.
public struct JUnitReport: ReportFormat {
  /// `junit`.
  public static let name = "junit"

  /// Creates the format.
  public init() {}

  /// Writes a report.
  public func text(of report: GateReport) -> [UInt8] {
    let cases = Self.cases(of: report)
    let failures = cases.count { !$0.failures.isEmpty }
    // The schemas have no time zone in a time, and readers take it for UTC.
    let time = String("\(report.time)".dropLast())
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>",
      Self.tag(
        "testsuite",
        [
          ("name", "signet gate"), ("tests", "\(cases.count)"), ("failures", "\(failures)"), ("errors", "0"),
          ("skipped", "0"), ("time", "0"), ("timestamp", time),
        ], indent: 1),
    ]
    lines += Self.properties(of: report)
    for each in cases { lines += each.lines }
    lines += ["  </testsuite>", "</testsuites>", ""]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func properties(of report: GateReport) -> [String] {
    let properties = [
      ("signet.version", report.version), ("signet.verdict", ReportWords(report).verdict),
      ("signet.policy", report.policy.name.display), ("signet.policy.sha256", report.policy.sha256?.hex),
    ]
    let lines = properties.compactMap { name, value in
      value.map { tag("property", [("name", name), ("value", $0)], indent: 3, isEmpty: true) }
    }
    return ["    <properties>"] + lines + ["    </properties>"]
  }

  /// The case of the release, then those of the artifacts, in order.
  private static func cases(of report: GateReport) -> [Case] {
    // The classes differ, so that an artifact of this name is another case.
    var cases = [Case(className: "signet.gate", name: "release", path: nil)]
    // The keys are bytes: a dictionary of texts would take two spellings of an accent for one file.
    var places: [[UInt8]: Int] = [:]
    for checked in report.artifacts {
      let file = checked.file
      places[Array(file.path.utf8)] = cases.count
      var each = Case(className: "signet.gate.artifact", name: file.path.distinct, path: file.path)
      each.output = checked.artifact.signers.map { "signed by \(SignerWords($0).full.display)" }
      if checked.state == .unverified { each.output.append(checked.state.words) }
      cases.append(each)
    }
    // A bundle may have the name of a bundle's bundle. It is of no artifact then, so it has no place here.
    var bundlePlaces: [[UInt8]: Int] = [:]
    for file in report.files {
      if case .bundle(let artifact) = file.role { bundlePlaces[Array(file.path.utf8)] = places[Array(artifact.utf8)] }
    }
    for finding in report.findings {
      let path = Array((finding.path ?? "").utf8)
      cases[places[path] ?? bundlePlaces[path] ?? 0].add(finding, isFailure: finding.level >= report.failingLevel)
    }
    // What refuses an artifact may be among the findings that a report has no room for.
    for (number, checked) in report.artifacts.enumerated() where checked.state == .refused {
      if cases[number + 1].failures.isEmpty { cases[number + 1].failures += [checked.deciding].compactMap(\.self) }
    }
    return cases
  }

  /// A test case.
  private struct Case {
    let className: String
    let name: String
    /// The artifact's path; nil for the release.
    private let path: String?
    var failures: [GateReport.Finding] = []
    var output: [String] = []

    init(className: String, name: String, path: String?) {
      self.className = className
      self.name = name
      self.path = path
    }

    mutating func add(_ finding: GateReport.Finding, isFailure: Bool) {
      if isFailure { failures.append(finding) } else { output += Self.words(finding) }
    }

    var lines: [String] {
      let attributes = [("classname", className), ("name", name), ("time", "0")]
      var lines: [String] = []
      if let first = failures.first {
        let more = failures.count > 1 ? " (and \(Amount.number(failures.count - 1)) more)" : ""
        let summary = headline(first) + more
        // GitLab shows the text alone, so it has all that the attributes say.
        let text = failures.flatMap(Self.words).joined(separator: "\n")
        let start = tag("failure", [("type", first.rule), ("message", summary)], indent: 3)
        lines.append("\(start)\(escaped(text))</failure>")
      }
      if !output.isEmpty {
        lines.append("      <system-out>\(escaped(Self.withoutAttachments(output)))</system-out>")
      }
      guard !lines.isEmpty else { return [tag("testcase", attributes, indent: 2, isEmpty: true)] }
      return [tag("testcase", attributes, indent: 2)] + lines + ["    </testcase>"]
    }

    /// A finding in a line, which names its file unless the case does: the case of the release has findings about links
    /// and folders, too, and that of an artifact those about its bundle.
    private func headline(_ finding: GateReport.Finding) -> String {
      let text = FindingText(finding).headline
      if let path, finding.path?.isExactly(path) ?? false { return text }
      return "\(ReportWords.subject(of: finding)): \(text)"
    }

    private static func words(_ finding: GateReport.Finding) -> [String] {
      let text = FindingText(finding)
      let subject = ReportWords.subject(of: finding)
      return ["\(finding.level), \(finding.rule.visible): \(subject): \(text.headline)"]
        + text.details.map { "  \($0)" }
    }

    /// Lines as a text in which no name is an attachment: GitLab and a plugin of Jenkins link to the file that
    /// `[[ATTACHMENT|path]]` in an output names.
    private static func withoutAttachments(_ lines: [String]) -> String {
      var isAfterBracket = false
      return lines.joined(separator: "\n").replacingScalars { scalar in
        defer { isAfterBracket = scalar == "[" }
        return scalar == "[" && isAfterBracket ? #"\u{5b}"# : nil
      }
    }
  }

  private static func tag(
    _ name: String, _ attributes: [(String, String)], indent: Int, isEmpty: Bool = false
  ) -> String {
    let attributes = attributes.map { #" \#($0)="\#(escaped($1.visible))""# }.joined()
    return String(repeating: "  ", count: indent) + "<\(name)\(attributes)\(isEmpty ? "/>" : ">")"
  }

  /// Our lines as the text of an element or an attribute.
  ///
  /// XML 1.0 (section 2.2) has no place for most control characters, not even as references, and readers change newlines
  /// in attributes to spaces (section 3.3.3). Both are escaped visibly before, in every text from outside. The `>` is
  /// escaped for the sake of `]]>` (section 2.4).
  private static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&apos;"
      case "\n": nil
      default: scalar == " " || scalar.isVisible ? nil : "\(scalar)".visible
      }
    }
  }
}
