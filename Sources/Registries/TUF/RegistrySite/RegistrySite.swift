internal import HTMLPages
internal import ReleaseGate
package import SignetBase

/// Static pages for people beside a registry's metadata: a search, a page for each module, and one for each publisher.
///
/// The design, in short:
///
/// - **Only verified metadata is shown.** The registry's directory is read as a client reads a mirror: from a root, with
///   signatures, versions and expiry checked. What fails is left out and told. Pages prove nothing all the same, because
///   their server can change them, and each page says so.
/// - **A page is plain HTML.** It needs no script, and loads nothing but the site's own style sheet. The lists of modules
///   have the search, which is a script of the site. Its data is a script too, because browsers fetch no other file for a
///   page that was opened from a folder.
/// - **Texts of publishers are hostile.** They go through the escaping of the gate's reports. File names and links are
///   made of identifiers, or of digests.
/// - **The same registry gives the same bytes**, so a file is written only if it has changed. The site keeps a list of its
///   files. It replaces and removes no others.
package struct RegistrySite: Sendable {
  /// What a run did to the files of the site.
  package struct Outcome: Sendable {
    /// The number of files that belong to the site now.
    package let files: Int
    /// The paths of the files that were written, because they are new or have changed.
    package let written: [String]
    /// The paths of the files that were removed, because nothing is to be shown on them any more.
    package let removed: [String]
    /// The numbers of modules and publishers that are shown.
    package let modules: Int
    /// The number of publishers that are shown.
    package let publishers: Int
    /// What was left out, because it could not be verified or read.
    package let faults: [SignetError]
  }

  private let registry: String
  private let root: [UInt8]?
  private let address: RegistryAddress?

  /// Describes a site; nothing is read yet.
  ///
  /// - Parameters:
  ///   - registry: the registry's directory, with `metadata` and `targets`.
  ///   - root: a root from a trusted place; nil for the registry's own first one.
  ///   - address: where hosts find the registry, for the lines of a `Modfile`; nil if nobody has said it.
  package init(of registry: String, root: [UInt8]?, address: RegistryAddress?) {
    self.registry = registry
    self.root = root
    self.address = address
  }

  /// Writes the pages that have changed, and removes those of modules and publishers that are gone.
  ///
  /// - Parameters:
  ///   - folder: the folder of the site, which is made if it is missing.
  ///   - time: the current time, by which expiry is judged. No page shows it.
  /// - Throws: `tuf.no-repository`; what `ModuleCatalog.refreshed(at:)` throws; `output.exists` for a file in the way that
  ///   is not of the site; `repo.site-list`; `output.failed`; `file.…`.
  package func write(to folder: String, at time: UnixTime) throws(SignetError) -> Outcome {
    let content = try VerifiedRegistry(registry, root: root, at: time)
    let changes = try SiteFolder(folder).write(files(content))
    return Outcome(
      files: changes.files, written: changes.written, removed: changes.removed, modules: content.modules.count,
      publishers: content.publishers.count, faults: content.faults)
  }

  private func files(_ content: VerifiedRegistry) -> [SiteFile] {
    let count = ListPage.count(content)
    var files = [
      SiteFile(.style) { SiteStyle.bytes },
      SiteFile(.script) { Array(SiteScript.source.text.utf8) },
      SiteFile(.search) { SearchData(content).bytes },
    ]
    for number in 1...count { files.append(SiteFile(.list(number)) { ListPage(content, number).bytes }) }
    for module in content.modules {
      files.append(
        SiteFile(.module(module.identifier)) { () throws(SignetError) in
          try ModulePage(module, content.releases(of: module), in: content, at: address).bytes
        })
    }
    for publisher in content.publishers {
      files.append(SiteFile(.publisher(publisher.name)) { PublisherPage(publisher, in: content).bytes })
    }
    return files
  }
}

/// Where hosts find a registry: a URL of http or https without user name, password, query and fragment.
package struct RegistryAddress: Sendable {
  /// The URL.
  package let url: String

  /// Reads a URL; nil if a `Modfile` could not name it between quotation marks.
  package init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: { text.utf8.starts(with: $0.utf8) }) else { return nil }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let isPlain = rest.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._~/:[]%".utf8.contains(byte)
      }
    }
    guard isPlain, let first = rest.first, first != UInt8(ascii: "/"), rest.count <= 2000 else { return nil }
    url = text
  }
}
