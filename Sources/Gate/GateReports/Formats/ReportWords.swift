package import ReleaseGate
internal import SignetBase

/// What the formats for people say about a report as a whole.
package struct ReportWords {
  private let report: GateReport

  package init(_ report: GateReport) { self.report = report }

  /// The verdict in a word.
  package var verdict: String { report.isClean ? "clean" : "refused" }

  /// How many findings there are, by level.
  package var findings: String {
    let counts = GateReport.Level.allCases.reversed().compactMap { level -> String? in
      let count = report.findings.count { $0.level == level }
      return count == 0 ? nil : Amount.of(count, "\(level)", "\(level)s")
    }
    return counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
  }

  /// How many files there are, by role. What a pattern leaves out is counted, because nobody has looked at it.
  package var files: String {
    var (artifacts, bundles, excluded, links) = (0, 0, 0, 0)
    for file in report.files {
      switch file.role {
      case .artifact: artifacts += 1
      case .bundle: bundles += 1
      case .excluded: excluded += 1
      case .link: links += 1
      }
    }
    let artifactCount = Amount.of(artifacts, "artifact", "artifacts")
    let bundleCount = Amount.of(bundles, "signature file", "signature files")
    let linkCount = links == 0 ? "" : ", " + Amount.of(links, "link", "links")
    return "\(artifactCount), \(bundleCount), \(Amount.of(excluded, "excluded file", "excluded files"))\(linkCount)"
  }

  /// The gravest findings first, and otherwise in the order of the report: readers cut long lists at the end.
  static func gravestFirst<Element>(
    _ elements: [Element], _ finding: (Element) -> GateReport.Finding
  ) -> [Element] {
    GateReport.Level.allCases.reversed().flatMap { level in elements.filter { finding($0).level == level } }
  }

  /// What people call a release where a finding is about no file of it.
  package static let release = "the release"

  /// What a finding is about.
  package static func subject(of finding: GateReport.Finding) -> String {
    finding.path.flatMap { $0.isEmpty ? nil : name(of: $0) } ?? release
  }

  /// The path of a file, so that different files stay different.
  package static func name(of path: String) -> String { path.distinct }
}
