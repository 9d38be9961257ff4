internal import HTMLPages
public import ReleaseGate
public import SignetBase

/// Writes a report as one page of HTML that needs nothing else.
///
/// The page loads nothing, works without its script, and has the same bytes for the same report. What it shows of the
/// release is text from outside: the writer escapes all of it.
public struct HTMLReport: ReportFormat {
  /// The name of the format.
  public static let name = "html"

  /// Creates the format.
  public init() {}

  /// Writes the page, in UTF-8.
  ///
  /// - Throws: `crypto.failure` if the digests of the page's own style sheet and script cannot be computed.
  public func text(of report: GateReport) throws(SignetError) -> [UInt8] {
    let policy = try ContentPolicy(style: .style, script: .script)
    let contents = PageContents(report)
    var page = HTML()
    page.add(.html, .english) { page in
      page.add(.head) { head(&$0, policy, report) }
      page.add(.body) { body(&$0, contents) }
    }
    page.endLine()
    return page.bytes
  }

  private func head(_ page: inout HTML, _ policy: ContentPolicy, _ report: GateReport) {
    page.add(.meta, .utf8)
    page.add(.meta, .header("Content-Security-Policy"), .content(policy))
    page.add(.meta, .name("viewport"), .content("width=device-width, initial-scale=1"))
    page.add(.meta, .name("color-scheme"), .content("light dark"))
    page.add(.meta, .name("referrer"), .content("no-referrer"))
    // Some browsers make links of digits, and a digest has many.
    page.add(.meta, .name("format-detection"), .content("telephone=no, date=no, address=no, email=no"))
    page.add(.title, text: report.isClean ? "✓ Release accepted - Signet" : "✗ Release refused - Signet")
    page.add(.style)
  }

  private func body(_ page: inout HTML, _ contents: PageContents) {
    page.add(.a, .class("skip"), .link(.findings), text: "Skip to the findings")
    page.add(.header, .class("page")) { page in
      page.add(VerdictSection(contents))
      page.add(FactsSection(contents))
    }
    page.add(.nav, .class("page"), .label("Sections of the report")) { page in
      for (anchor, name, count) in contents.sections {
        page.add(.a, .link(anchor)) { page in
          page.add(name)
          page.add(.span, .class("count"), text: Amount.number(count))
        }
      }
    }
    page.add(.main, .class("page")) { page in
      page.add(FilterForm(contents))
      page.add(FindingsSection(contents))
      page.add(ArtifactsSection(contents))
      page.add(CertificatesSection(contents))
      page.add(ChangesSection(contents))
      page.add(OtherFilesSection(contents))
    }
    page.add(.footer, .class("page")) { page in
      page.add(.p) { page in
        page.add("Checked by Signet ")
        page.add(contents.report.version)
        page.add(" at ")
        page.add(contents.report.time)
        page.add(". This page needs no network and no script.")
      }
    }
    page.add(.script)
  }
}
