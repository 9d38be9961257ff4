internal import HTMLPages
internal import ModuleCatalog
internal import ReleaseGate
internal import Signet
internal import SignetBase

/// What all pages of a site have around their content.
struct SitePage {
  /// The place of the page.
  let path: SitePath
  /// The page's title in the browser.
  let title: String
  /// Whether the page has the search.
  let hasSearch: Bool

  init(_ path: SitePath, title: String, hasSearch: Bool = false) {
    self.path = path
    self.title = title
    self.hasSearch = hasSearch
  }

  /// Writes the page, in UTF-8.
  func bytes(_ content: (inout HTML) -> Void) -> [UInt8] {
    var page = HTML()
    page.add(.html, .english) { page in
      page.add(.head) { head(&$0) }
      page.add(.body) { page in
        page.add(.a, .class("skip"), .link(.place("content")), text: "Skip to the content")
        page.add(.header, .class("page site")) { top(&$0) }
        page.add(.main, .class("page"), .id(.place("content")), content: content)
        page.add(.footer, .class("page")) { page in
          page.add(.p, text: "Written by signet repo site from verified metadata of The Update Framework.")
        }
      }
    }
    page.endLine()
    return page.bytes
  }

  private func head(_ page: inout HTML) {
    page.add(.meta, .utf8)
    page.add(.meta, .header("Content-Security-Policy"), .content(ContentPolicy(ofSiteWithScript: hasSearch)))
    page.add(.meta, .name("viewport"), .content("width=device-width, initial-scale=1"))
    page.add(.meta, .name("color-scheme"), .content("light dark"))
    page.add(.meta, .name("referrer"), .content("no-referrer"))
    page.add(.meta, .name("format-detection"), .content("telephone=no, date=no, address=no, email=no"))
    page.add(.title, text: title)
    if let style = path.link(to: .style) { page.add(.link, .styleSheet, .link(style)) }
    guard hasSearch, let script = path.link(to: .script), let data = path.link(to: .search) else { return }
    page.addScript(data)
    page.addScript(script)
  }

  private func top(_ page: inout HTML) {
    page.add(.nav, .label("Site")) { page in
      if let list = path.link(to: .list(1)) { page.add(.a, .link(list), text: "All modules") }
    }
    page.add(.p, .class("notice")) { page in
      page.add(.strong, text: "Pages prove nothing.")
      page.add(
        " What this one shows was verified when it was written, and its server can change it. A host verifies by "
          + "itself what it loads.")
    }
  }
}

extension HTML {
  /// Writes a link to a page of the site, with a text in the font of code.
  mutating func add(_ text: String, from page: SitePath, to other: SitePath) {
    guard let link = page.link(to: other) else { return add(.code, text: text) }
    add(.a, .link(link)) { $0.add(.code, text: text) }
  }

  /// Writes a fact of a list of facts.
  mutating func addFact(_ name: String, _ content: (inout HTML) -> Void) {
    add(.div) { page in
      page.add(.dt, text: name)
      page.add(.dd, content: content)
    }
  }

  /// Writes a section with a heading that links can lead to.
  mutating func addSection(_ anchor: StaticString, _ title: String, _ content: (inout HTML) -> Void) {
    add(.section, .id(.place(anchor)), .label(title)) { page in
      page.add(.h2, text: title)
      content(&page)
    }
  }

  /// Writes a row of a list of modules.
  mutating func addRow(_ module: VerifiedRegistry.Module, from page: SitePath) {
    add(.li) { row in
      row.add(.div) { row in
        row.add("\(module.identifier)", from: page, to: .module(module.identifier))
        row.add(.span, .class("version"), text: "\(module.version)")
        if module.isWithdrawn { row.add(.span, .class("badge bad"), text: "withdrawn") }
        row.add(.p, .class("muted")) { line in
          line.add("by ")
          if let link = page.link(to: .publisher(module.publisher)) {
            line.add(.a, .link(link), text: module.publisher)
          }
          line.add(", \(Amount.of(module.releaseCount, "release", "releases"))")
          line.add(", \(Amount.bytes(module.archiveLength))")
          let count = module.permissionCount
          line.add(count == 0 ? ", no permissions" : ", \(Amount.of(count, "permission", "permissions"))")
        }
      }
    }
  }
}
