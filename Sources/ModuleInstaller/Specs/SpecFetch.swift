internal import ModuleResolver
internal import ModuleSpec
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem
internal import SignetTUF

/// Fetches what a Modfile needs of repositories of specs: the specs, commits of sources, and modules.
struct SpecFetch {
  let settings: RegistryAccess.Settings

  /// The most bytes of a module's file: what a ZIP without ZIP64 can hold.
  private static let archiveLimit = Int(UInt32.max)
  /// The most bytes of the bundle beside it.
  private static let bundleLimit = 8 << 20

  /// The specs at the head of a source's repository. Without a network it is the head of the last time.
  ///
  /// - Throws: `install.offline`, `install.spec`; `spec-repo.…`, `spec.…`; `git.…`, `output.failed`, `file.…`.
  func offers(of source: ModuleSource) throws(SignetError) -> SpecOffers {
    let head = try head(of: source)
    let place = try settings.cache.commit(head, of: source.url)
    guard let git = try fetched(head, of: source.url, at: place) else { throw offline("source \(source.name)") }
    var limits = ArchiveLimits()
    limits.entries = SpecTree.itemLimit
    let tree = try GitTree(of: head, in: git, limits)
    var entries: [[UInt8]: GitTree.Entry] = [:]
    for entry in tree.entries { entries[Array(entry.path.utf8)] = entry }
    let items = tree.entries.map { entry in
      if case .file = entry.kind { return SpecTree.Item(path: Array(entry.path.utf8), kind: .file(size: entry.size)) }
      return SpecTree.Item(path: Array(entry.path.utf8), kind: .other)
    }
    let specs = try SpecTree(items, of: "\(source.name)") { (paths) throws(SignetError) in
      try GitTree.bytes(of: paths.compactMap { entries[$0] }, from: git)
    }
    return try SpecOffers(specs, of: source)
  }

  /// The commit at the head of a repository. It is kept for those who are offline.
  private func head(of source: ModuleSource) throws(SignetError) -> String {
    let note = try settings.cache.head(of: source.url)
    guard settings.mirror != nil else {
      do throws(SignetError) {
        let text = try RegularFile(openingNoFollow: note).bytes(limit: 128)
        if let id = String(validating: text, as: UTF8.self), GitFetch.isCommit(id) { return id }
      } catch  where error.code == .fileMissing {}
      throw offline("source \(source.name)")
    }
    let head = try GitFetch.head(of: source.url) { ProcessVariables.value($0) }
    try OutputFile.write(Array(head.utf8), to: note, .replace(unless: []))
    return head
  }

  private func fetched(_ id: String, of address: String, at place: String) throws(SignetError) -> SignetGit
    .GitProgram?
  {
    try GitFetch.commit(id, of: address, keptAt: place, isOffline: settings.mirror == nil) {
      ProcessVariables.value($0)
    }
  }

  /// A release in one of its forms.
  ///
  /// - Parameters:
  ///   - use: the form. A release without a binary is source.
  ///   - tell: is called if something has to be fetched.
  /// - Throws: `install.offline`, `install.spec`; `git.…`; `tuf.…` for a file that cannot be had; `digest.mismatch`;
  ///   `output.failed`, `file.…`.
  func module(
    _ offer: SpecOffers.Offer, _ release: SpecifiedRelease, requiring requirements: [ModuleRequirement],
    as use: BinaryChoice.Use, _ tell: () -> Void
  ) throws(SignetError) -> SpecifiedModule {
    let form: SpecifiedModule.Form
    if use == .binary, let binary = offer.spec.binary {
      form = try self.binary(binary, of: offer, tell)
    } else {
      form = try sources(of: offer, release.commit, tell)
    }
    return SpecifiedModule(offer: offer, requirements: requirements, form: form)
  }

  private func sources(
    of offer: SpecOffers.Offer, _ commit: GitCommit, _ tell: () -> Void
  ) throws(SignetError) -> SpecifiedModule.Form {
    let place = try settings.cache.commit(commit.id, of: commit.repository)
    do throws(SignetError) { _ = try Directory(opening: place) } catch  where error.code == .fileMissing { tell() }
    guard let git = try fetched(commit.id, of: commit.repository, at: place) else {
      throw offline("\(offer.identifier)")
    }
    let tree = try GitTree(of: commit.id, in: git, ArchiveLimits())
    let file = ModuleSpec.fileName(of: offer.spec.name)
    let folders = tree.entries.filter { $0.name.isExactly(file) }.map(\.folder)
    guard let folder = folders.first, folders.count == 1 else {
      throw SignetError(
        .installSpec, "\(offer.identifier) \(offer.spec.version)",
        folders.isEmpty
          ? "comes from a commit without its spec" : "comes from a commit with several specs of its name",
        expected: "one file \(file)", hint: "ask the module's publisher")
    }
    // What a source archive of signet package has.
    let others = [file, ModuleDescription.path, offer.spec.license?.file].compactMap(\.self)
    let part = tree.part(below: folder) { path in
      offer.spec.isSource(path) || others.contains { $0.isExactly(path) }
    }
    guard part.entries.contains(where: { offer.spec.isSource($0.path) }) else {
      throw SignetError(
        .installSpec, "\(offer.identifier) \(offer.spec.version)", "names no source file of its commit",
        expected: "source_files", hint: "ask the module's publisher")
    }
    return .sources(part, from: git)
  }

  private func binary(
    _ binary: ModuleSpec.Binary, of offer: SpecOffers.Offer, _ tell: () -> Void
  ) throws(SignetError) -> SpecifiedModule.Form {
    let place = try settings.cache.place(of: binary.sha256)
    let beside = "\(place).sigstore.json"
    var existing = OutputFile.Existing.keep
    do throws(SignetError) {
      if try RegularFile(openingNoFollow: place).sha256() == binary.sha256 {
        let hasBundle = try isThere(beside)
        return .binary(archive: place, bundle: hasBundle ? beside : nil)
      }
      existing = .replace(unless: [])
    } catch  where error.code == .fileMissing {}
    guard let files = settings.files else { throw offline("\(offer.identifier)") }
    tell()
    let slash = binary.url.utf8.lastIndex(of: UInt8(ascii: "/")) ?? binary.url.startIndex
    let source = try files(String(decoding: binary.url.utf8[...slash], as: UTF8.self))
    let name = String(decoding: binary.url.utf8[slash...].dropFirst(), as: UTF8.self)
    // First, so that a file that is there has what belongs to it.
    do throws(SignetError) {
      let bundle = try source.bytes(of: "\(name).sigstore.json", atMost: Self.bundleLimit)
      try OutputFile.write(bundle, to: beside, .replace(unless: []))
    } catch  where error.code == .tufNotFound { try OutputFile.remove(beside) }
    // What somebody else has fetched meanwhile stays: it is hashed below.
    let draft = try OutputDraft(to: place, existing)
    var count = 0
    try source.read(name, atMost: Self.archiveLimit) { (piece) throws(SignetError) in
      count += piece.count
      guard count <= Self.archiveLimit else {
        throw SignetError(
          .tufTooLong, binary.url.display, "is longer than a module may be",
          expected: "at most \(Self.archiveLimit) bytes")
      }
      try draft.write(piece)
    }
    // Whoever uses the file hashes it again.
    do throws(SignetError) { try draft.publish() } catch  where error.code == .outputExists {}
    let found = try RegularFile(openingNoFollow: place).sha256()
    guard found == binary.sha256 else {
      try OutputFile.remove(place)
      throw SignetError(
        .digestMismatch, binary.url.display, "is not the file that the spec means", expected: "\(binary.sha256)",
        found: "\(found)", hint: "ask the module's publisher what has happened")
    }
    return .binary(archive: place, bundle: try isThere(beside) ? beside : nil)
  }

  private func isThere(_ path: String) throws(SignetError) -> Bool {
    do throws(SignetError) { _ = try RegularFile(openingNoFollow: path) } catch  where error.code == .fileMissing {
      return false
    }
    return true
  }

  private func offline(_ object: String) -> SignetError {
    SignetError(
      .installOffline, object, "is not in the cache", found: settings.cache.path, hint: "install once with a network")
  }
}
