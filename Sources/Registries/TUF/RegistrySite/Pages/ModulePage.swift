internal import HTMLPages
internal import ModuleCatalog
internal import ReleaseGate
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// The page of a module: how to add it, what it may do, what it requires, its releases, and what each one changed.
struct ModulePage {
  private let module: VerifiedRegistry.Module
  private let releases: VerifiedRegistry.Releases
  private let content: VerifiedRegistry
  private let address: RegistryAddress?
  private let path: SitePath

  init(
    _ module: VerifiedRegistry.Module, _ releases: VerifiedRegistry.Releases, in content: VerifiedRegistry,
    at address: RegistryAddress?
  ) {
    self.module = module
    self.releases = releases
    self.content = content
    self.address = address
    path = .module(module.identifier)
  }

  private var newest: ModuleRelease { releases.newest }
  private var description: ModuleDescription { newest.module }

  /// The page's bytes.
  var bytes: [UInt8] {
    SitePage(path, title: "\(module.identifier) \(newest.version)").bytes { page in
      page.add(.h1, text: "\(module.identifier)")
      page.add(.p, .class("lead")) { lead(&$0) }
      if let about = newest.about { self.about(&page, about) }
      if let reason = newest.yanked { withdrawn(&page, reason) }
      contents(&page)
      page.addSection("add", "Add it to a Modfile") { add(&$0) }
      page.addSection("permissions", "Permissions") { page in
        list(&page, description.permissions, "The module asks for no permission.")
      }
      page.addSection("routes", "Routes and services") { routes(&$0) }
      RequirementsSection(module, newest, in: content, from: path).write(to: &page)
      page.addSection("releases", "Releases") { list(&$0) }
      ChangesOfReleases(releases.all).write(to: &page)
    }
  }

  private func lead(_ page: inout HTML) {
    page.add(.strong, text: "\(newest.version)")
    page.add(", by ")
    if let link = path.link(to: .publisher(module.publisher)) { page.add(.a, .link(link), text: module.publisher) }
    page.add(", \(Amount.bytes(newest.archive.length))")
    if let time = newest.signedAt {
      page.add(", signed on ")
      page.addDay(of: time)
    }
  }

  /// What the publisher says of the module. The address is no link, because nobody has looked at where it leads.
  private func about(_ page: inout HTML, _ about: ReleaseAbout) {
    if let summary = about.summary { page.add(.p, text: summary) }
    guard about.license != nil || about.homepage != nil else { return }
    page.add(.dl, .class("facts")) { page in
      if let license = about.license { page.addFact("Licence") { $0.add(license) } }
      if let homepage = about.homepage { page.addFact("Homepage") { $0.add(.code, .class("key"), text: homepage) } }
    }
  }

  private func withdrawn(_ page: inout HTML, _ reason: String) {
    page.add(.p, .class("notice bad")) { page in
      page.add(.strong, text: "All releases are withdrawn.")
      page.add(" The reason for the newest one: ")
      page.add(reason)
    }
  }

  private func contents(_ page: inout HTML) {
    let parts: [(StaticString, String, Int?)] = [
      ("add", "Modfile", nil), ("permissions", "Permissions", description.permissions.count),
      ("routes", "Routes", description.routes.count),
      ("requirements", "Requirements", description.requirements.modules.count),
      ("releases", "Releases", releases.all.count), ("changes", "Changes", nil),
    ]
    page.add(.nav, .class("contents"), .label("Sections of the page")) { page in
      for (anchor, name, count) in parts {
        page.add(.a, .link(.place(anchor))) { page in
          page.add(name)
          if let count { page.add(.span, .class("count"), text: Amount.number(count)) }
        }
      }
    }
  }

  private func add(_ page: inout HTML) {
    guard !module.isWithdrawn else {
      page.add(.p, .class("empty"), text: "No release is offered, so a Modfile cannot get the module from here.")
      return
    }
    let lines = ModfileLines(module, in: content, at: address)
    // One block, so that a click selects all lines.
    page.add(.div, .class("snippet")) { page in
      for line in lines.lines { page.add(.div) { $0.add(.code, text: line) } }
    }
    page.add(.p, .class("muted"), text: "A click selects all of it, to copy.")
    if let link = path.link(to: .publisher(module.publisher)) {
      page.add(.p, .class("muted")) { page in
        page.add("The policy of a project or a host must trust its publisher: ")
        page.add(.a, .link(link), text: "keys of \(module.publisher)")
        page.add(". Compare them with what the publisher gives out elsewhere.")
      }
    }
    if address == nil {
      page.add(
        .p, .class("muted"), text: "The Modfile needs a source whose patterns cover the module and what it requires.")
    }
    if lines.areIncomplete {
      page.add(
        .p, .class("notice"),
        text:
          "The module requires more modules than are named here. The Modfile needs sources that cover all of them.")
    }
    guard !lines.missing.isEmpty else { return }
    page.add(.p, .class("notice")) { page in
      page.add("It requires what this registry does not have. The Modfile needs another source for it: ")
      page.add(.code, text: lines.missing.prefix(Self.missingLimit).map { "\($0)" }.joined(separator: ", "))
      let more = lines.missing.count - Self.missingLimit
      if more > 0 { page.add(" and \(Amount.of(more, "more module", "more modules"))") }
    }
  }

  /// The most missing modules that are named.
  private static let missingLimit = 10

  private func routes(_ page: inout HTML) {
    list(&page, description.routes, "The module registers no route.")
    for (name, texts) in [
      ("Services", description.services), ("Actions", description.actions.map { "\($0.name) (\($0.value))" }),
      ("Pages", description.pages.words),
    ] where !texts.isEmpty {
      page.add(.h3, text: name)
      list(&page, texts, "")
    }
  }

  private func list(_ page: inout HTML, _ texts: [String], _ none: String) {
    guard !texts.isEmpty else {
      page.add(.p, .class("empty"), text: none)
      return
    }
    page.addFolded(texts, more: { Amount.of($0, "more", "more") }) { page, texts in
      page.add(.ul, .class("texts"), .role(.list)) { page in
        for text in texts { page.add(.li) { $0.add(.code, text: text) } }
      }
    }
  }

  private func list(_ page: inout HTML) {
    if releases.unreadable > 0 {
      page.add(
        .p, .class("muted"),
        text:
          "\(Amount.of(releases.unreadable, "release", "releases")) cannot be read by the version of Signet that wrote "
          + "this page.")
    }
    page.addFolded(releases.all.reversed(), more: { Amount.of($0, "more release", "more releases") }) {
      page, releases in
      page.addRows(releases.count) { page in
        for release in releases { page.add(.li) { $0.add(.div) { row(&$0, release) } } }
      }
    }
  }

  private func row(_ page: inout HTML, _ release: ModuleRelease) {
    page.add(.strong, text: "\(release.version)")
    page.add(.span, .class("version"), text: Amount.bytes(release.archive.length))
    if release.yanked != nil { page.add(.span, .class("badge bad"), text: "withdrawn") }
    page.add(.dl, .class("facts release")) { page in
      if let reason = release.yanked { page.addFact("Reason") { $0.add(reason) } }
      page.addFact("Sequence") { $0.add("\(release.sequence)") }
      if let time = release.signedAt { page.addFact("Signed on") { $0.addDay(of: time) } }
      let platforms = release.module.binaries.keys.map(\.rawValue).sorted()
      page.addFact("Platforms") {
        $0.add(platforms.isEmpty ? "any, without code" : platforms.joined(separator: ", "))
      }
      if let host = release.module.requirements.host { page.addFact("Host") { $0.add("\(host)") } }
      page.addFact("Signed by") { page in
        if release.signers.isEmpty { page.add("nobody who is named") }
        for signer in release.signers { page.add(.code, .class("key"), text: signer) }
      }
      page.addFact("File") {
        $0.add("\(release.archive.name), \(Amount.of(release.archive.length, "byte", "bytes"))")
      }
      page.addFact("SHA-256") { $0.add(.code, .class("key"), text: release.archive.sha256.hex) }
      guard let source = release.source else { return }
      page.addFact("Sources") {
        $0.add("\(source.archive.name), \(Amount.of(source.archive.length, "byte", "bytes"))")
      }
      page.addFact("SHA-256 of the sources") { $0.add(.code, .class("key"), text: source.archive.sha256.hex) }
      page.addFact("Commit") { $0.add(.code, .class("key"), text: source.commit) }
    }
  }
}
