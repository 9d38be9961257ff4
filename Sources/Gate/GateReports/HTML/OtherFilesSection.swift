internal import HTMLPages
internal import ReleaseGate
internal import SignetBase
internal import SignetCrypto

/// The files that need no signature, and why: excluded files, signatures and links.
struct OtherFilesSection: PageSection {
  private let excluded: [GateReport.File]
  private let bundles: [GateReport.File]
  private let links: [GateReport.File]

  init(_ contents: PageContents) {
    excluded = contents.others.filter { if case .excluded = $0.role { true } else { false } }
    bundles = contents.others.filter { if case .bundle = $0.role { true } else { false } }
    links = contents.others.filter { if case .link = $0.role { true } else { false } }
  }

  func write(to page: inout HTML) {
    guard !excluded.isEmpty || !bundles.isEmpty || !links.isEmpty else { return }
    page.add(.section, .id(.others), .label("Other files")) { page in
      page.add(.h2, text: "Other files")
      list(&page, excluded, Amount.of(excluded.count, "excluded file", "excluded files"), reason: "Excluded by")
      list(&page, bundles, Amount.of(bundles.count, "signature file", "signature files"), reason: "Signatures of")
      list(&page, links, Amount.of(links.count, "link", "links"), reason: "Leads to")
    }
  }

  private func list(_ page: inout HTML, _ files: [GateReport.File], _ summary: String, reason: String) {
    guard !files.isEmpty else { return }
    page.add(.details, .class("group")) { page in
      page.add(.summary) { $0.add(.h3, text: summary) }
      page.addFolded(files, more: { Amount.of($0, "more file", "more files") }) { page, files in
        page.add(.div, .class("scroll"), .role(.region), .label("Table of \(summary)"), .focusable) { page in
          page.add(.table) { page in
            page.add(.thead) { page in
              page.add(.tr) { page in
                for name in ["File", reason] { page.add(.th, .columnScope, text: name) }
                page.add(.th, .class("number"), .columnScope, text: "Size")
                page.add(.th, .class("digest"), .columnScope, text: "SHA-256")
              }
            }
            page.add(.tbody) { page in
              for file in files { row(&page, file) }
            }
          }
        }
      }
    }
  }

  private func row(_ page: inout HTML, _ file: GateReport.File) {
    page.add(.tr, .class("row")) { page in
      page.add(.th, .rowScope) { $0.add(.code, text: file.path) }
      page.add(.td) { $0.add(.code, text: reason(of: file.role)) }
      page.addSize(file.size)
      page.add(.td) { $0.addShort(file.sha256.hex) }
    }
  }

  private func reason(of role: GateReport.Role) -> String {
    switch role {
    case .artifact: ""
    case .bundle(let artifact): artifact
    case .excluded(let pattern): pattern
    case .link(let target): target
    }
  }
}
