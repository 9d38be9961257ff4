internal import HTMLPages
internal import ReleaseGate
internal import Signet
internal import SignetBase

/// A page of the list of all modules. The first one is the site's own, with the publishers and the search.
struct ListPage {
  /// The number of modules on a page.
  private static let length = 200

  private let content: VerifiedRegistry
  private let number: Int
  private let count: Int

  /// The number of pages that a registry's list has.
  static func count(_ content: VerifiedRegistry) -> Int {
    max(1, (content.modules.count + length - 1) / length)
  }

  /// - Parameter number: the number of the page, from 1.
  init(_ content: VerifiedRegistry, _ number: Int) {
    self.content = content
    self.number = number
    count = Self.count(content)
  }

  private var path: SitePath { .list(number) }

  /// The page's bytes.
  var bytes: [UInt8] {
    let title = number == 1 ? "Modules of the registry" : "Modules of the registry, page \(number)"
    return SitePage(path, title: title, hasSearch: true).bytes { page in
      page.add(.h1, text: "Modules")
      search(&page)
      page.addSection("all", count == 1 ? "All modules" : "All modules, page \(number) of \(count)") { list(&$0) }
      guard number == 1 else { return }
      publishers(&page)
      page.addSection("metadata", "Metadata") { facts(&$0) }
    }
  }

  private func facts(_ page: inout HTML) {
    page.add(.dl, .class("facts")) { page in
      page.addFact("Modules") { $0.add(Amount.number(content.modules.count)) }
      page.addFact("Publishers") { $0.add(Amount.number(content.publishers.count)) }
      for role in content.roles {
        page.addFact("Role \(role.name)") { page in
          page.add("version \(role.version), until ")
          page.addDay(of: role.expires)
        }
      }
    }
  }

  /// The script shows the form; without it there would be nothing behind it.
  private func search(_ page: inout HTML) {
    page.add(.form, .id(.filter), .role(.search), .hidden) { page in
      page.add(.label, .class("wide")) { page in
        page.add(.span, text: "Search")
        page.add(.input, .type(.search), .name("text"), .withoutProposals)
      }
      page.add(.output, .name("result"), .live)
      page.add(.p, .class("muted keys"), text: "/ goes to the search, Enter opens the first module.")
    }
    page.add(.ul, .id(.place("results")), .class("rows"), .role(.list), .label("Modules found"), .hidden)
  }

  private func list(_ page: inout HTML) {
    let start = (number - 1) * Self.length
    let modules = content.modules[start..<min(start + Self.length, content.modules.count)]
    guard !modules.isEmpty else {
      page.add(.p, .class("empty"), text: "The registry offers no module.")
      return
    }
    page.addRows(modules.count) { page in
      for module in modules { page.addRow(module, from: path) }
    }
    guard count > 1 else { return }
    page.add(.nav, .class("pages"), .label("Pages of the list")) { page in
      for other in 1...count {
        if other == number {
          page.add(.strong, text: "\(other)")
        } else if let link = path.link(to: .list(other)) {
          page.add(.a, .link(link), .label("Page \(other)"), text: "\(other)")
        }
      }
    }
  }

  private func publishers(_ page: inout HTML) {
    page.addSection("publishers", "Publishers") { page in
      guard !content.publishers.isEmpty else {
        page.add(.p, .class("empty"), text: "The registry has no publisher.")
        return
      }
      page.addFolded(content.publishers, more: { Amount.of($0, "more publisher", "more publishers") }) {
        page, publishers in
        page.addRows(publishers.count) { page in
          for publisher in publishers {
            page.add(.li) { page in
              page.add(.div) { page in
                if let link = path.link(to: .publisher(publisher.name)) {
                  page.add(.a, .link(link), text: publisher.name)
                }
                page.add(
                  .span, .class("version"), text: Amount.of(publisher.modules.count, "module", "modules"))
              }
            }
          }
        }
      }
    }
  }
}
