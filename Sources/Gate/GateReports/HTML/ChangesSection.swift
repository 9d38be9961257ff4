internal import HTMLPages
internal import ReleaseGate
internal import SignetBase

/// What has changed since the last release.
struct ChangesSection: PageSection {
  private let comparison: GateReport.Comparison?
  private let contents: PageContents

  init(_ contents: PageContents) {
    comparison = contents.report.comparison
    self.contents = contents
  }

  func write(to page: inout HTML) {
    guard let comparison else { return }
    page.add(.section, .id(.changes), .label("Changes")) { page in
      page.add(.h2, text: "Changes")
      page.add(.p) { page in
        page.add("\(summary(of: comparison.changes)) since ")
        page.add(.code, text: comparison.baseline)
        page.add(".")
      }
      if !comparison.changes.isEmpty {
        page.addFolded(comparison.changes, more: { Amount.of($0, "more change", "more changes") }) { page, changes in
          page.addRows(changes.count) { page in
            for change in changes { row(&page, change) }
          }
        }
      }
    }
  }

  private func summary(of changes: [GateReport.Change]) -> String {
    guard !changes.isEmpty else { return "No file has changed" }
    func count(_ kind: GateReport.Change.Kind) -> String? {
      let count = changes.count { $0.kind == kind }
      return count > 0 ? "\(Amount.number(count)) \(kind.rawValue)" : nil
    }
    return [count(.added), count(.removed), count(.changed)].compactMap(\.self).joined(separator: ", ")
  }

  private func row(_ page: inout HTML, _ change: GateReport.Change) {
    page.add(.li, .class("row change")) { page in
      switch change.kind {
      case .added: kind(&page, .class("kind good"), sign: "+", word: "added")
      case .removed: kind(&page, .class("kind bad"), sign: "−", word: "removed")
      case .changed: kind(&page, .class("kind warning"), sign: "~", word: "changed")
      }
      page.add(.div) { page in
        if change.kind != .removed, let number = contents.artifactNumber(of: change.path) {
          page.add(.a, .link(.artifact(number))) { $0.add(.code, text: change.path) }
        } else {
          page.add(.code, text: change.path)
        }
        if !change.details.isEmpty {
          page.addFolded(change.details, more: { Amount.of($0, "more difference", "more differences") }) {
            page, details in
            page.add(.ul, .class("differences"), .role(.list)) { page in
              for detail in details { page.add(.li) { $0.add(.code, text: detail) } }
            }
          }
        }
      }
    }
  }

  private func kind(_ page: inout HTML, _ style: HTML.Attribute, sign: String, word: String) {
    page.add(.span, style) { page in
      page.add(.span, .class("sign"), .decoration, text: sign)
      page.add(word)
    }
  }
}
