internal import HTMLPages
internal import ReleaseGate
internal import SignetBase

/// The controls that choose what is shown. They do nothing without the script, which shows them.
struct FilterForm: PageSection {
  private let contents: PageContents

  init(_ contents: PageContents) { self.contents = contents }

  func write(to page: inout HTML) {
    page.add(.form, .id(.filter), .role(.search), .label("Filter"), .hidden) { page in
      page.add(.label, .class("wide")) { page in
        page.add(.span, text: "Search")
        page.add(.input, .type(.search), .name("text"))
      }
      if !contents.report.findings.isEmpty {
        page.add(.label) { page in
          page.add(.span, text: "Level")
          page.add(.select, .name("level")) { page in
            page.add(.option, .value(""), text: "all")
            for level in GateReport.Level.allCases.reversed() {
              page.add(.option, .value(level.rawValue), text: "\(level)s")
            }
          }
        }
        page.add(.label) { page in
          page.add(.span, text: "Rule")
          page.add(.select, .name("rule")) { page in
            page.add(.option, .value(""), text: "all")
            for (number, rule) in contents.groups.rules.enumerated() where !rule.group.positions.isEmpty {
              page.add(.option, .value(number), text: rule.id)
            }
          }
        }
        page.add(.fieldset) { page in
          page.add(.legend, text: "Group by")
          page.add(.label) { page in
            page.add(.input, .type(.radio), .name("group"), .value("rule"), .checked)
            page.add(.span, text: "rule")
          }
          page.add(.label) { page in
            page.add(.input, .type(.radio), .name("group"), .value("file"))
            page.add(.span, text: "file")
          }
        }
      }
      page.add(.output, .name("result"), .live)
    }
  }
}
