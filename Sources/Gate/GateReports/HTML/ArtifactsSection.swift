internal import HTMLPages
internal import ReleaseGate
internal import SignetBase
internal import SignetCrypto

/// The table of artifacts: those that are refused first, then those that are not verified, those with findings, and the
/// others.
struct ArtifactsSection: PageSection {
  private let contents: PageContents

  init(_ contents: PageContents) { self.contents = contents }

  func write(to page: inout HTML) {
    page.add(.section, .id(.artifacts), .label("Artifacts")) { page in
      page.add(.h2, text: "Artifacts")
      guard !contents.artifacts.isEmpty else {
        page.add(.p, .class("empty"), text: "No file of the release must be signed.")
        return
      }
      page.addFolded(rows, more: { Amount.of($0, "more artifact", "more artifacts") }) { table(&$0, $1) }
    }
  }

  private struct Row {
    let number: Int
    let checked: GateReport.CheckedArtifact
    /// The findings about it or its bundle, as a position in the groups by file, or nil.
    let findings: Int?
  }

  private var rows: [Row] {
    let rows = contents.artifacts.enumerated().map { number, each in
      let groups = contents.groups
      return Row(
        number: number, checked: each,
        findings: groups.number(of: each.file.path) ?? each.deciding?.path.flatMap { groups.number(of: $0) })
    }
    let states: [GateReport.State] = [.refused, .unverified, .warned, .clean]
    return states.flatMap { state in rows.filter { $0.checked.state == state } }
  }

  private func table(_ page: inout HTML, _ rows: ArraySlice<Row>) {
    page.add(.div, .class("scroll"), .role(.region), .label("Table of artifacts"), .focusable) { page in
      page.add(.table) { page in
        page.add(.thead) { page in
          page.add(.tr) { page in
            page.add(.th, .class("result"), .columnScope, text: "Result")
            page.add(.th, .columnScope, text: "Artifact")
            page.add(.th, .class("kind-column"), .columnScope, text: "Kind")
            page.add(.th, .class("signers"), .columnScope, text: "Signed by")
            page.add(.th, .class("number"), .columnScope, text: "Size")
            page.add(.th, .class("digest"), .columnScope, text: "SHA-256")
          }
        }
        page.add(.tbody) { page in
          for row in rows { add(&page, row) }
        }
      }
    }
  }

  private func add(_ page: inout HTML, _ row: Row) {
    page.add(.tr, .class("row"), .id(.artifact(row.number))) { page in
      page.add(.td) { page in
        page.add(Mark(row.checked.state))
        page.add(row.checked.state.words)
      }
      page.add(.th, .rowScope) { page in
        page.add(.code, text: row.checked.file.path)
        if let findings = row.findings { self.findings(&page, findings) }
      }
      page.add(.td) { kind(&$0, row.checked.artifact) }
      page.add(.td) { page in
        if row.checked.artifact.signers.isEmpty { page.add(.span, .class("muted"), text: "no trusted signer") }
        for signer in row.checked.artifact.signers { self.signer(&page, signer) }
      }
      page.addSize(row.checked.file.size)
      page.add(.td) { $0.addShort(row.checked.file.sha256.hex) }
    }
  }

  private func findings(_ page: inout HTML, _ number: Int) {
    let group = contents.groups.files[number].group
    let style: HTML.Attribute = group.level == .error ? .class("badge bad") : .class("badge warning")
    page.add(.a, style, .link(.file(number))) { page in
      page.add(Mark(group.level))
      if group.errors > 0 { page.add(Amount.of(group.errors, "error", "errors")) }
      if group.errors > 0, group.warnings > 0 { page.add(", ") }
      if group.warnings > 0 { page.add(Amount.of(group.warnings, "warning", "warnings")) }
    }
  }

  private func kind(_ page: inout HTML, _ artifact: GateReport.Artifact) {
    page.add(artifact.verified?.kind.word ?? "unknown")
    guard let module = artifact.module else { return }
    page.add(.span, .class("muted"), text: ", sequence \(module.sequence)")
    page.add(.div) { page in
      page.add(.code, text: module.identifier)
      page.add(" ")
      page.add(module.version)
    }
  }

  /// Writes the name, then the key, or the chain that vouches for it.
  private func signer(_ page: inout HTML, _ signer: GateReport.Signer) {
    let chain = contents.chains.number(of: signer.chain)
    page.add(.div, .class("signer")) { page in
      if let name = SignerWords(signer).name {
        page.add(.strong, text: name)
        page.add(" ")
      }
      if let chain {
        page.add(.a, .link(.chain(chain)), .tip(signer.keyID), text: "chain \(chain + 1)")
      } else {
        page.addShort(signer.keyID)
      }
      page.add(.div, .class("muted")) { page in
        if let time = signer.signedAt { page.add(time) } else { page.add("no time claimed") }
        page.add(", ")
        page.add(signer.algorithm)
      }
    }
  }
}
