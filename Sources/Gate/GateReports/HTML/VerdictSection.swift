internal import HTMLPages
internal import ReleaseGate
internal import SignetBase
internal import SignetCrypto

/// The verdict in a word and a sentence, and the counts behind it.
struct VerdictSection: PageSection {
  private let report: GateReport
  private let artifacts: Int
  private let refused: Int
  private let unverified: Int
  private let excluded: Int
  private let findings: FindingGroups.Group

  init(_ contents: PageContents) {
    report = contents.report
    artifacts = contents.artifacts.count
    refused = contents.artifacts.count { $0.state == .refused }
    unverified = contents.artifacts.count { $0.state == .unverified }
    excluded = contents.others.count { if case .excluded = $0.role { true } else { false } }
    findings = contents.groups.total
  }

  func write(to page: inout HTML) {
    page.add(.div, report.isClean ? .class("verdict good") : .class("verdict bad")) { page in
      page.add(.span, .class("seal"), .decoration, text: (report.isClean ? Mark.good : .bad).sign)
      page.add(.div) { page in
        page.add(.h1, text: report.isClean ? "Release accepted" : "Release refused")
        page.add(.p, text: sentence)
      }
    }
    page.add(.ul, .class("counts"), .role(.list), .label("Counts")) { page in
      count(
        &page, artifacts - refused - unverified, one: "verified", several: "verified", style: .class("good"),
        leadingTo: .artifacts)
      count(&page, refused, one: "refused", several: "refused", style: .class("bad"), leadingTo: .artifacts)
      if unverified > 0 {
        count(
          &page, unverified, one: "not verified", several: "not verified", style: .class("warning"),
          leadingTo: .artifacts)
      }
      count(&page, findings.errors, one: "error", several: "errors", style: .class("bad"), leadingTo: .findings)
      count(
        &page, findings.warnings, one: "warning", several: "warnings", style: .class("warning"), leadingTo: .findings)
      count(&page, excluded, one: "excluded", several: "excluded", style: .class("none"), leadingTo: .others)
    }
  }

  /// Writes a number. Only one above zero has a colour, and leads to the section that explains it.
  private func count(
    _ page: inout HTML, _ count: Int, one: String, several: String, style: HTML.Attribute,
    leadingTo anchor: HTML.Anchor
  ) {
    func content(_ page: inout HTML) {
      page.add(.strong, text: Amount.number(count))
      page.add(" \(Amount.word(count, one, several))")
    }
    page.add(.li, count > 0 ? style : .class("none")) { page in
      if count > 0 { page.add(.a, .link(anchor), content: content) } else { page.add(.span, content: content) }
    }
  }

  /// How many artifacts pass, and which do not.
  private var states: String {
    guard artifacts > 0 else { return "The release has no artifacts" }
    guard refused + unverified > 0 else {
      return artifacts == 1
        ? "The only artifact is verified" : "All \(Amount.number(artifacts)) artifacts are verified"
    }
    let parts = [(refused, GateReport.State.refused), (unverified, .unverified)].filter { $0.0 > 0 }
    return parts.map { count, state in "\(share(count)) \(Amount.word(count, "is", "are")) \(state.words)" }
      .joined(separator: ", and ")
  }

  /// Some of the artifacts, as the beginning of a sentence or a part of one.
  private func share(_ count: Int) -> String {
    switch (count, artifacts) {
    case (_, 1): "The only artifact"
    case (artifacts, _): "All \(Amount.number(artifacts)) artifacts"
    default: "\(Amount.number(count)) of \(Amount.number(artifacts)) artifacts"
    }
  }

  /// Why the verdict is what it is.
  private var sentence: String {
    let signed = states
    let errors = findings.errors > 0 ? Amount.of(findings.errors, "error", "errors") : nil
    let warnings = findings.warnings > 0 ? Amount.of(findings.warnings, "warning", "warnings") : nil
    guard report.isClean else {
      let reasons = report.failingLevel == .warning ? [errors, warnings] : [errors]
      let isOne = report.failingLevel == .warning ? report.findings.count == 1 : findings.errors == 1
      let reason = reasons.compactMap(\.self).joined(separator: " and ")
      return "\(signed); \(reason) \(isOne ? "keeps" : "keep") the release from its users."
    }
    guard let warnings else {
      return unverified > 0
        ? "\(signed). Nothing keeps the release from its users."
        : "\(signed), and nothing keeps the release from its users."
    }
    return
      "\(signed). \(warnings) \(Amount.word(findings.warnings, "does", "do")) not keep the release from its users."
  }
}

/// When the release was checked, by which policy, and how strictly.
struct FactsSection: PageSection {
  private let contents: PageContents

  init(_ contents: PageContents) { self.contents = contents }

  func write(to page: inout HTML) {
    let report = contents.report
    page.add(.dl, .class("facts")) { page in
      fact(&page, "Checked") { $0.add(report.time) }
      fact(&page, "Policy") { page in
        page.add(.code, text: report.policy.name)
        if let digest = report.policy.sha256 { page.addShort(digest.description) }
      }
      fact(&page, "Signet") { $0.add(.code, text: report.version) }
      fact(&page, "Refuses on") { $0.add(report.failingLevel == .warning ? "errors and warnings" : "errors") }
      fact(&page, "Rules") { $0.add("\(Amount.number(report.rules.count)) in force") }
      fact(&page, "Files") { page in
        page.add(Amount.number(report.files.count))
        page.add(", \(Amount.bytes(size))")
      }
    }
  }

  /// The sum of all sizes; the largest number if it is larger.
  private var size: Int {
    contents.report.files.reduce(0) { sum, file in
      let (next, isTooLarge) = sum.addingReportingOverflow(file.size)
      return isTooLarge ? .max : next
    }
  }

  private func fact(_ page: inout HTML, _ name: String, content: (inout HTML) -> Void) {
    page.add(.div) { page in
      page.add(.dt, text: name)
      page.add(.dd, content: content)
    }
  }
}
