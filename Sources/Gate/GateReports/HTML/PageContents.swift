internal import HTMLPages
internal import ReleaseGate

/// A report, with what more than one section of the page needs; each of it is computed once.
struct PageContents {
  let report: GateReport
  /// The artifacts, in the report's order.
  let artifacts: [GateReport.CheckedArtifact]
  /// The findings by rule and by file.
  let groups: FindingGroups
  /// The certificate chains of all signers.
  let chains: DistinctChains
  /// The files that are not artifacts.
  let others: [GateReport.File]
  private let artifactNumbers: [ExactKey: Int]

  init(_ report: GateReport) {
    self.report = report
    artifacts = report.artifacts
    groups = FindingGroups(report)
    chains = DistinctChains(artifacts.map(\.artifact))
    others = report.files.filter { if case .artifact = $0.role { false } else { true } }
    let numbers = artifacts.enumerated().map { (ExactKey($0.element.file.path), $0.offset) }
    artifactNumbers = Dictionary(numbers, uniquingKeysWith: { first, _ in first })
  }

  /// The position of an artifact; nil for any other file.
  func artifactNumber(of path: String) -> Int? { artifactNumbers[ExactKey(path)] }

  /// The sections that the page has, and how much is in each.
  var sections: [(HTML.Anchor, String, Int)] {
    var sections: [(HTML.Anchor, String, Int)] = [
      (.findings, "Findings", report.findings.count), (.artifacts, "Artifacts", artifacts.count),
    ]
    if !chains.all.isEmpty { sections.append((.certificates, "Certificates", chains.all.count)) }
    if let comparison = report.comparison { sections.append((.changes, "Changes", comparison.changes.count)) }
    if !others.isEmpty { sections.append((.others, "Other files", others.count)) }
    return sections
  }
}
