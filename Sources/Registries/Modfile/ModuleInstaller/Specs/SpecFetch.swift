internal import ModuleResolver
internal import ModuleSpec
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetProcesses
internal import SignetSystem

/// Fetches what a Modfile needs of repositories of specs: the specs, commits of sources, and modules.
struct SpecFetch {
  let settings: RegistryAccess.Settings

  /// The specs at the head of a source's repository. Without a network it is the head of the last time.
  ///
  /// - Parameter complain: is told why a spec is left out.
  /// - Throws: `install.offline`; `spec-repo.…`, `spec.…`; `git.…`, `output.failed`, `file.…`.
  func offers(of source: ModuleSource, _ complain: (SignetError) -> Void) throws(SignetError) -> SpecOffers {
    let isOffline = settings.mirror == nil
    let heads: SpecHeads
    do throws(SignetError) {
      heads = try SpecHeads(of: source.url, in: settings.cache, isOffline: isOffline)
    } catch  where isOffline && error.code == .fileMissing { throw settings.offline("source \(source.name)") }
    defer { withExtendedLifetime(heads) {} }
    let last = isOffline ? try heads.last() : try GitFetch.head(of: source.url) { ProcessVariables.value($0) }
    guard let head = last,
      let git = try settings.repository(head, of: source.url, keptAt: heads.place(of: head))
    else { throw settings.offline("source \(source.name)") }
    var leftOut: [SignetError] = []
    let specs = try SpecTree(of: head, in: git, called: "\(source.name)") { leftOut.append($0) }
    for error in leftOut { complain(error) }
    let offers = try SpecOffers(specs, of: source, verifiedBy: settings.policy.map(settings.verifier), complain)
    // Last: until now an end leaves those who are offline what they had.
    if !isOffline { try heads.keep(head) }
    return offers
  }

  /// A release in one of its forms.
  ///
  /// - Parameters:
  ///   - use: the form. A release without a binary is source.
  ///   - chosen: what its requirements are compared with.
  ///   - policy: what is fetched besides a binary, as far as the policy demands it.
  ///   - tell: is called if something has to be fetched.
  /// - Throws: `install.offline`, `install.spec`; `git.…`; `tuf.…` for a file that cannot be had; `digest.mismatch`;
  ///   `output.failed`, `file.…`.
  func module(
    _ offer: SpecOffers.Offer, _ release: SpecifiedRelease, requiring requirements: [SpecOffers.Requirement],
    amid chosen: ChosenReleases, as use: BinaryChoice.Use, under policy: TrustPolicy, _ tell: () -> Void
  ) throws(SignetError) -> SpecifiedModule {
    let form: SpecifiedModule.Form
    if use == .binary, let binary = offer.spec.binary {
      form = .binary(
        try SpecBinaryFetch(binary, of: offer, settings: settings).file(under: policy, tell))
    } else {
      form = try sources(of: offer, release.commit, tell)
    }
    return SpecifiedModule(offer: offer, requirements: requirements, chosen: chosen, form: form)
  }

  /// The module with the bundles of its binary fetched again: they may have been put right since they were kept.
  ///
  /// - Returns: nil for sources, for a binary that was just fetched, and if nobody may be asked.
  /// - Throws: what fetching throws.
  func module(withBundlesAnew module: SpecifiedModule, under policy: TrustPolicy) throws(SignetError)
    -> SpecifiedModule?
  {
    guard case .binary(let kept) = module.form, kept.isKept, settings.files != nil,
      let binary = module.offer.spec.binary
    else { return nil }
    let fetch = SpecBinaryFetch(binary, of: module.offer, settings: settings)
    return SpecifiedModule(
      offer: module.offer, requirements: module.requirements, chosen: module.chosen,
      form: .binary(try fetch.withBundlesAnew(kept, under: policy)))
  }

  private func sources(
    of offer: SpecOffers.Offer, _ commit: GitCommit, _ tell: () -> Void
  ) throws(SignetError) -> SpecifiedModule.Form {
    let name = "\(offer.identifier) \(offer.spec.version)"
    let git = try settings.repository(of: commit, for: name, tell)
    // A repository may have many more files than a module, and others that a module cannot have.
    let tree = try GitTree(listing: commit.id, in: git)
    let file = ModuleSpec.fileName(of: offer.spec.name)
    let folders = tree.entries.filter { $0.isFile && $0.name.isExactly(file) }.map(\.folder)
    guard let folder = folders.first, folders.count == 1 else {
      throw SignetError(
        .installSpec, name,
        folders.isEmpty
          ? "comes from a commit without its spec" : "comes from a commit with several specs of its name",
        expected: "one file \(file)", hint: "ask the module's publisher")
    }
    // What a source archive of signet release has.
    let others = [file, ModuleDescription.path, offer.spec.license?.file].compactMap(\.self)
    let part = tree.part(below: folder) { path in
      offer.spec.isSource(path) || others.contains { $0.isExactly(path) }
    }
    guard part.entries.contains(where: { offer.spec.isSource($0.path) }) else {
      throw SignetError(
        .installSpec, name, "names no source file of its commit", expected: "source_files",
        hint: "ask the module's publisher")
    }
    try part.check(ArchiveLimits())
    return .sources(part, from: git)
  }
}

extension RegistryAccess.Settings {
  /// The repository with a commit that a module comes from, in the cache.
  ///
  /// - Parameters:
  ///   - module: what messages call the module.
  ///   - tell: is called if the commit has to be fetched.
  /// - Throws: `install.offline`; `git.…`; `file.others-may-write`, `output.failed`.
  func repository(
    of commit: GitCommit, for module: String, _ tell: () -> Void = {}
  ) throws(SignetError) -> GitProgram {
    let place = try cache.commit(commit.id, of: commit.repository)
    do throws(SignetError) { _ = try Directory(opening: place) } catch  where error.code == .fileMissing { tell() }
    guard let git = try repository(commit.id, of: commit.repository, keptAt: place) else {
      throw offline(module, "comes from a commit that is not in the cache", commit.id)
    }
    return git
  }

  /// A repository with a commit, which is fetched unless it is there; nil if nobody may be asked.
  fileprivate func repository(
    _ id: String, of address: String, keptAt place: String
  ) throws(SignetError) -> GitProgram? {
    try GitFetch.commit(id, of: address, keptAt: place, isOffline: mirror == nil) { ProcessVariables.value($0) }
  }

  /// The refusal of what is not in the cache, where nobody may be asked.
  func offline(
    _ object: String, _ message: String = "is not in the cache", _ expected: String? = nil
  ) -> SignetError {
    SignetError(
      .installOffline, object, message, expected: expected, found: cache.path, hint: "install once with a network")
  }
}
