internal import HTMLPages
internal import ReleaseGate
internal import SignetBase

/// What is wrong, by rule and by file.
struct FindingsSection: PageSection {
  /// A group with more findings starts closed.
  private static let openLimit = 20

  private let contents: PageContents

  init(_ contents: PageContents) { self.contents = contents }

  func write(to page: inout HTML) {
    page.add(.section, .id(.findings), .label("Findings")) { page in
      page.add(.h2, text: "Findings")
      if contents.report.findings.isEmpty {
        page.add(.p, .class("empty")) { page in
          page.add(Mark.good)
          page.add("No rule has found anything.")
        }
      } else {
        page.add(.div, .id(.rules)) { rules(&$0) }
        page.add(.div, contents.groups.files.count > 50 ? .class("many") : .class("few"), .id(.files)) { files(&$0) }
      }
      silentRules(&page)
    }
  }

  // MARK: By rule

  private func rules(_ page: inout HTML) {
    page.add(.h3, .class("grouping"), text: "By rule")
    let groups = contents.groups.rules.enumerated().filter { !$0.element.group.positions.isEmpty }
    // The gravest come first; the order of the rules decides among the others.
    for level in [GateReport.Level.error, .warning] {
      for (number, group) in groups where group.group.level == level { rule(&page, number, group) }
    }
  }

  private func rule(_ page: inout HTML, _ number: Int, _ rule: FindingGroups.RuleGroup) {
    group(&page, .rule(number), rule.group) { page in
      page.add(.code, text: rule.id)
      if let title = rule.rule?.title {
        page.add(" ")
        page.add(.span, .class("title"), text: title)
      }
    } content: { page in
      if let help = rule.rule?.help { page.add(.p, .class("help"), text: help) }
      rows(&page, rule.group) { page, finding, _ in
        if let path = finding.path { self.path(&page, path) } else { page.add("the release") }
      }
    }
  }

  // MARK: By file

  private func files(_ page: inout HTML) {
    page.add(.h3, .class("grouping"), text: "By file")
    for (number, file) in contents.groups.files.enumerated() {
      group(&page, .file(number), file.group) { page in
        if let path = file.path { page.add(.code, text: path) } else { page.add("The release") }
      } content: { page in
        rows(&page, file.group) { page, finding, rule in
          page.add(.a, .link(.rule(rule))) { $0.add(.code, text: finding.rule) }
        }
      }
    }
  }

  private func path(_ page: inout HTML, _ path: String) {
    if let number = contents.artifactNumber(of: path) {
      page.add(.a, .link(.artifact(number))) { $0.add(.code, text: path) }
    } else {
      page.add(.code, text: path)
    }
  }

  // MARK: Groups

  private func group(
    _ page: inout HTML, _ anchor: HTML.Anchor, _ group: FindingGroups.Group, heading: (inout HTML) -> Void,
    content: (inout HTML) -> Void
  ) {
    let parts: (inout HTML) -> Void = { page in
      page.add(.summary) { page in
        page.add(Mark(group.level), group.level.description)
        page.add(.h4, content: heading)
        page.add(.span, .class("count"), text: counts(of: group))
      }
      content(&page)
    }
    if group.positions.count <= Self.openLimit {
      page.add(.details, .class("group"), .id(anchor), .open, content: parts)
    } else {
      page.add(.details, .class("group"), .id(anchor), content: parts)
    }
  }

  private func counts(of group: FindingGroups.Group) -> String {
    [
      group.errors > 0 ? Amount.of(group.errors, "error", "errors") : nil,
      group.warnings > 0 ? Amount.of(group.warnings, "warning", "warnings") : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  private func rows(
    _ page: inout HTML, _ group: FindingGroups.Group,
    subject: @escaping (inout HTML, GateReport.Finding, _ rule: Int) -> Void
  ) {
    page.addFolded(group.positions, more: { Amount.of($0, "more finding", "more findings") }) { page, positions in
      page.addRows(positions.count) { page in
        for position in positions {
          let rule = contents.groups.ruleOfFinding[position]
          page.add(FindingRow(contents.report.findings[position], rule: rule) { subject(&$0, $1, rule) })
        }
      }
    }
  }

  // MARK: Rules without findings

  private func silentRules(_ page: inout HTML) {
    let rules = contents.groups.rules.filter { $0.group.positions.isEmpty }.compactMap(\.rule)
    guard !rules.isEmpty else { return }
    page.add(.details, .class("quiet")) { page in
      page.add(.summary, text: "\(Amount.of(rules.count, "rule", "rules")) without findings")
      page.add(.dl, .class("rules")) { page in
        for rule in rules {
          page.add(.dt) { page in
            page.add(Mark.good)
            page.add(.code, text: rule.id)
            page.add(" \(rule.title)")
          }
          page.add(.dd, text: rule.help)
        }
      }
    }
  }
}

/// A finding, with all that is known about it.
struct FindingRow: PageSection {
  private let finding: GateReport.Finding
  private let rule: Int
  private let subject: (inout HTML, GateReport.Finding) -> Void

  /// - Parameter subject: writes what the group around it does not say: the file, or the rule.
  init(
    _ finding: GateReport.Finding, rule: Int, subject: @escaping (inout HTML, GateReport.Finding) -> Void
  ) {
    self.finding = finding
    self.rule = rule
    self.subject = subject
  }

  func write(to page: inout HTML) {
    page.add(.li, .class("row finding"), .data(.level, finding.level.rawValue), .data(.rule, rule)) { page in
      page.add(Mark(finding.level), finding.level.description)
      page.add(.div) { page in
        page.add(.p, .class("message")) { page in
          page.add(finding.message)
          if let code = finding.code {
            page.add(" ")
            page.add(.code, text: code)
          }
        }
        page.add(.p, .class("where")) { place(&$0) }
        details(&page)
      }
    }
  }

  private func place(_ page: inout HTML) {
    subject(&page, finding)
    if let entry = finding.entry {
      page.add(", entry ")
      page.add(.code, text: entry)
    }
    if let place = finding.place {
      page.add(", ")
      page.add(.span, .class("place"), text: place)
    }
  }

  private func details(_ page: inout HTML) {
    guard finding.expected != nil || finding.found != nil || finding.hint != nil else { return }
    page.add(.dl) { page in
      for (name, value) in [("Expected", finding.expected), ("Found", finding.found)] {
        guard let value else { continue }
        page.add(.dt, text: name)
        page.add(.dd) { $0.add(.code, text: value) }
      }
      if let hint = finding.hint {
        page.add(.dt, text: "Next step")
        page.add(.dd, text: hint)
      }
    }
  }
}
