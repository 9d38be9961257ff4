internal import HTMLPages
internal import ModuleCatalog
internal import ReleaseGate
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What each release of a module changed, in the lines of `signet gate diff`.
///
/// The gate compares the files of two releases. Here only their verified descriptions are known, with the sizes and
/// signers of their archives.
struct ChangesOfReleases: PageSection {
  /// The most releases whose changes are shown. A module with more of them has the others on its own servers.
  private static let limit = 100

  private let releases: [ModuleRelease]

  init(_ releases: [ModuleRelease]) { self.releases = releases }

  func write(to page: inout HTML) {
    page.addSection("changes", "Changes") { page in
      let pairs = Array(zip(releases, releases.dropFirst()).suffix(Self.limit).reversed())
      guard !pairs.isEmpty else {
        page.add(.p, .class("empty"), text: "The module has one release.")
        return
      }
      for (number, (old, new)) in pairs.enumerated() { add(&page, old, new, isOpen: number == 0) }
      if releases.count - 1 > pairs.count {
        page.add(.p, .class("muted"), text: "Changes of earlier releases are not shown.")
      }
    }
  }

  /// The lines that say what changed between two releases.
  static func lines(_ old: ModuleRelease, _ new: ModuleRelease) -> [String] {
    var lines = DetailLines()
    if old.archive.length != new.archive.length {
      lines.add("~ size \(Amount.number(old.archive.length)) to \(Amount.number(new.archive.length)) bytes")
    } else if old.archive.sha256 != new.archive.sha256 {
      lines.add("~ content, with the same size of \(Amount.of(new.archive.length, "byte", "bytes"))")
    }
    lines.add("commit of the sources", old.source?.commit, new.source?.commit)
    lines.add("signer", old.signers, new.signers)
    DescriptionComparison(
      old: old.module, new: new.module, oldFormat: format(old), newFormat: format(new)
    ).add(to: &lines)
    return lines.lines
  }

  /// The format of an archive, by its name: `module.FORMAT`.
  private static func format(_ release: ModuleRelease) -> String {
    let name = release.archive.name
    return name.utf8.firstIndex(of: UInt8(ascii: ".")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
  }

  private func add(_ page: inout HTML, _ old: ModuleRelease, _ new: ModuleRelease, isOpen: Bool) {
    let lines = Self.lines(old, new)
    func content(_ page: inout HTML) {
      page.add(.summary) { page in
        page.add(.h3, text: "\(old.version) to \(new.version)")
        page.add(.span, .class("count"), text: Amount.of(lines.count, "difference", "differences"))
      }
      page.add(.ul, .class("differences"), .role(.list)) { page in
        for line in lines { page.add(.li, Self.style(line)) { $0.add(.code, text: line) } }
      }
    }
    if isOpen {
      page.add(.details, .class("group"), .open, content: content)
    } else {
      page.add(.details, .class("group"), content: content)
    }
  }

  private static func style(_ line: String) -> HTML.Attribute {
    switch line.utf8.first {
    case UInt8(ascii: "+"): .class("added")
    case UInt8(ascii: "-"): .class("removed")
    default: .class("changed")
    }
  }
}
