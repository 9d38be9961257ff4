internal import HTMLPages
internal import ModuleRegistry
internal import ReleaseGate
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// The page of a publisher: its keys, what it may offer, and what it offers.
struct PublisherPage {
  private let publisher: VerifiedRegistry.ShownPublisher
  private let path: SitePath

  init(_ publisher: VerifiedRegistry.ShownPublisher, in content: VerifiedRegistry) {
    self.publisher = publisher
    path = .publisher(publisher.name)
  }

  /// The page's bytes.
  var bytes: [UInt8] {
    SitePage(path, title: "\(publisher.name), publisher").bytes { page in
      page.add(.h1, text: publisher.name)
      page.add(.p, .class("muted"), text: "a publisher of this registry")
      page.add(.dl, .class("facts")) { page in
        page.addFact("May offer") { $0.add(PublisherScope.words(for: publisher.delegation.scope.paths)) }
        page.addFact("Metadata") { page in
          page.add("version \(publisher.version), until ")
          page.addDay(of: publisher.expires)
        }
      }
      page.addSection("keys", "Keys") { keys(&$0) }
      page.addSection("modules", "Modules") { modules(&$0) }
    }
  }

  private func keys(_ page: inout HTML) {
    let count = publisher.delegation.keys.count
    let threshold = publisher.delegation.threshold
    page.add(
      .p, .class("muted"),
      text: "\(Amount.number(threshold)) of \(Amount.of(count, "key", "keys")) must sign what the publisher offers.")
    for identities in publisher.delegation.identities {
      page.add(.p, text: "Modules may also be signed by \("\(identities)".display).")
    }
    page.addRows(count) { page in
      for key in publisher.delegation.keys {
        page.add(.li) { page in
          page.add(.div) { page in
            page.add(.code, text: "\(key.id)")
            page.add(.span, .class("version"), text: "\(key.algorithm)")
            // As --key and a trust policy take it.
            page.add(.code, .class("snippet key"), text: key.line)
          }
        }
      }
    }
  }

  private func modules(_ page: inout HTML) {
    guard !publisher.modules.isEmpty else {
      page.add(.p, .class("empty"), text: "The publisher offers no module.")
      return
    }
    page.addFolded(publisher.modules, more: { Amount.of($0, "more module", "more modules") }) { page, modules in
      page.addRows(modules.count) { page in
        for module in modules { page.addRow(module, from: path) }
      }
    }
  }
}
