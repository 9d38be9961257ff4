internal import HTMLPages
internal import ReleaseGate
internal import SignetBase

/// The chains as pictures and in words.
struct CertificatesSection: PageSection {
  /// Beyond it chains are folded: certificates that live for minutes make one for each artifact.
  private static let limit = 12
  /// Beyond it the artifacts of a chain are folded.
  private static let artifactLimit = 20

  private let contents: PageContents

  init(_ contents: PageContents) { self.contents = contents }

  func write(to page: inout HTML) {
    let chains = Array(contents.chains.all.enumerated())
    guard !chains.isEmpty else { return }
    page.add(.section, .id(.certificates), .label("Certificates")) { page in
      page.add(.h2, text: "Certificates")
      page.addFolded(chains, limit: Self.limit, more: { Amount.of($0, "more chain", "more chains") }) {
        page, chains in
        page.add(.div, .class("chains")) { page in
          for (number, chain) in chains { add(&page, number, chain) }
        }
      }
    }
  }

  private func add(_ page: inout HTML, _ number: Int, _ chain: DistinctChains.Chain) {
    page.add(.div, .class("chain"), .id(.chain(number))) { page in
      page.add(ChainPicture(chain.links, at: contents.report.time))
      page.add(.div) { page in
        page.add(.h3, text: "Chain \(number + 1)")
        page.add(.p, .class("muted"), text: "signs for \(Amount.of(chain.artifacts.count, "artifact", "artifacts"))")
        page.addFolded(
          chain.artifacts, limit: Self.artifactLimit, more: { Amount.of($0, "more artifact", "more artifacts") }
        ) {
          names(&$0, $1)
        }
        page.add(.details) { page in
          page.add(.summary, text: "The certificates in words")
          page.add(.ol, .class("words")) { page in
            for link in chain.links { words(&page, link) }
          }
        }
      }
    }
  }

  private func names(_ page: inout HTML, _ artifacts: ArraySlice<Int>) {
    page.add(.ul, .class("names")) { page in
      for artifact in artifacts {
        page.add(.li) { page in
          page.add(.a, .link(.artifact(artifact))) { $0.add(.code, text: contents.artifacts[artifact].file.path) }
        }
      }
    }
  }

  private func words(_ page: inout HTML, _ link: GateReport.ChainLink) {
    page.add(.li) { page in
      page.add(.code, text: link.name)
      if let identity = link.identity, !link.subject.isEmpty {
        page.add(", identity ")
        page.add(.code, text: identity)
      }
      page.add(", \(link.notAfter < contents.report.time ? "expired" : "valid until") ")
      page.add(link.notAfter)
    }
  }
}
