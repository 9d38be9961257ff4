internal import ModuleSpec
internal import SignetBase
internal import SignetCLI

/// What was found in a spec, for people at a terminal and for programs.
struct SpecSheet {
  private let report: SpecLint.Report
  /// Whether nothing refuses the spec.
  let isClean: Bool

  init(_ report: SpecLint.Report, allowsWarnings: Bool) {
    self.report = report
    isClean = report.isClean(allowingWarnings: allowsWarnings)
  }

  /// Prints the findings; if quiet, only those that refuse the spec, to standard error.
  func print(to console: Console) throws(SignetError) {
    guard !console.isJSON else { return }
    if console.isQuiet {
      if !isClean { Console.message(([head(.error)] + findings).joined(separator: "\n")) }
      return
    }
    try console.result([head(.output)] + findings)
  }

  /// The spec and its findings, as `--json` has them.
  var json: JSONValue {
    let findings = report.findings.map { finding in
      JSONValue.object(
        ("rule", .string(finding.rule)), ("level", .string(finding.level.rawValue)),
        ("field", .string(finding.field)), ("message", .string(finding.message)),
        ("expected", finding.expected.map { .string($0.clipped) }),
        ("found", finding.found.map { .string($0.clipped) }),
        ("hint", .string(finding.hint)))
    }
    return .object(
      ("file", .string(report.path)), ("verdict", .string(isClean ? "clean" : "refused")),
      ("errors", .integer(report.count(.error))), ("warnings", .integer(report.count(.warning))),
      ("findings", .array(findings)))
  }

  private func head(_ stream: StandardStream) -> String {
    let counts = [
      (report.count(.error), "error", "errors"), (report.count(.warning), "warning", "warnings"),
    ].filter { $0.0 > 0 }.map { $0.0.of($0.1, $0.2) }
    let mark = isClean ? Console.good() : Console.bad(stream)
    let tail = counts.isEmpty ? "" : ": \(counts.joined(separator: ", "))"
    return "\(mark) \(isClean ? "clean" : "refused")  \(report.path.display)\(tail)"
  }

  private var findings: [String] {
    report.findings.flatMap { finding in
      var lines = ["  \(finding.level.rawValue): \(finding.field): \(finding.message.display) [\(finding.rule)]"]
      if let expected = finding.expected { lines.append("    expected  \(expected.display)") }
      if let found = finding.found { lines.append("    found     \(found.display)") }
      lines.append("    next      \(finding.hint.display)")
      return lines
    }
  }
}
