package import SignetBase
internal import SignetSystem

/// The limit on the findings of a report as a whole.
///
/// Each rule notes some 100 findings about a file at most, and a release has up to 100,000 files. A report that has all
/// of them could not be read again.
package struct FindingLimit {
  /// The maximum size in bytes of a report in JSON that can be read again: 100,000 files of 600 bytes each, and as much
  /// again for findings.
  package static let reportSize = 128 << 20
  /// The maximum number of findings: as many as a release may have files.
  var count = ReleaseFiles.limits.entries
  /// The maximum size in bytes of all findings in JSON: a quarter of what `--recheck` reads.
  var size = reportSize / 4

  /// The findings in their order, without the last ones of the least grave level if they are too many. What is left out
  /// is counted in one more finding, at the end.
  func limited(_ findings: [GateReport.Finding]) -> [GateReport.Finding] {
    let sizes = findings.map(Self.size)
    guard findings.count > count || sizes.reduce(0, +) > size else { return findings }
    // The last finding has its room, too.
    var room = (count: count - 1, size: size - 1024)
    var isKept = [Bool](repeating: false, count: findings.count)
    var omitted: GateReport.Finding?
    for level in GateReport.Level.allCases.reversed() {
      for index in findings.indices where findings[index].level == level {
        guard omitted == nil, room.count > 0, sizes[index] <= room.size else {
          omitted = omitted ?? findings[index]
          continue
        }
        room = (room.count - 1, room.size - sizes[index])
        isKept[index] = true
      }
    }
    let kept = findings.indices.filter { isKept[$0] }.map { findings[$0] }
    guard let omitted else { return kept }
    let rest = Amount.of(findings.count - kept.count, "more finding", "more findings")
    return kept + [
      GateReport.Finding(
        rule: omitted.rule, level: omitted.level, message: "has \(rest) than a report can hold",
        expected: "at most \(Amount.of(count, "finding", "findings")), of \(Amount.bytes(size))",
        found: Amount.of(findings.count, "finding", "findings"),
        hint: "correct those that are shown, and check again")
    ]
  }

  /// The size of a finding in JSON, or a little more.
  private static func size(_ finding: GateReport.Finding) -> Int {
    let names = 200
    let texts = [
      finding.rule, finding.path, finding.entry, finding.place, finding.message, finding.code, finding.expected,
      finding.found, finding.hint,
    ]
    return texts.reduce(names) { $0 + ($1.map(size) ?? 0) }
  }

  /// The size of a text in JSON (RFC 8785, section 3.2.2.2), or a little more.
  private static func size(_ text: String) -> Int {
    text.utf8.reduce(0) { size, byte in
      switch byte {
      case 0..<0x20: size + 6
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): size + 2
      default: size + 1
      }
    }
  }
}

extension GateReport {
  /// Creates a report.
  ///
  /// - Parameter findings: all of them. They decide what is said of each artifact, also those that are left out.
  package init(
    time: UnixTime, policy: Policy, version: String, files: [File], folders: [Folder], rules: [Rule],
    findings: [Finding], comparison: Comparison?, failingLevel: Level, rootModes: [UInt32] = [],
    workspace: Workspace = .none
  ) {
    self.init(
      time: time, policy: policy, version: version, files: files, folders: folders, rules: rules,
      artifacts: Self.checked(files, findings, failingLevel: failingLevel),
      findings: FindingLimit().limited(findings),
      comparison: comparison, failingLevel: failingLevel, rootModes: rootModes, workspace: workspace)
  }
}
