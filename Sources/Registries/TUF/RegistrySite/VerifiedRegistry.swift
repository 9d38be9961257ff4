internal import ModuleCatalog
internal import ModuleRegistry
internal import Signet
internal import SignetBase
internal import SignetSystem
internal import SignetTUF

/// What a registry offers at a time, as its clients verify it.
struct VerifiedRegistry {
  /// A publisher, with its metadata.
  struct ShownPublisher {
    let delegation: Publisher
    /// The version of the publisher's metadata.
    let version: Int
    /// When the metadata expires.
    let expires: UnixTime
    /// The publisher's modules, in the order of their identifiers.
    fileprivate(set) var modules: [Module] = []

    var name: String { delegation.name }
  }

  /// A module that has a release: what is shown of it beside its own page. It is small, whatever its index is.
  struct Module {
    let identifier: ModuleIdentifier
    /// The publisher's name.
    let publisher: String
    /// What the publisher may offer, as the patterns of a `Modfile`.
    let patterns: [String]
    /// The version of the newest release that is offered; of the newest one if all are withdrawn.
    let version: SemanticVersion
    /// Whether all releases are withdrawn.
    let isWithdrawn: Bool
    /// The number of releases.
    let releaseCount: Int
    /// The size of the newest release's archive in bytes.
    let archiveLength: Int
    /// The number of permissions that the newest release asks for.
    let permissionCount: Int
    /// The modules that the newest release requires.
    let required: [ModuleIdentifier]
    /// What the search looks for in the module.
    let words: String
    /// The versions that are offered, the newest last; of very many the newest ones.
    let offered: [SemanticVersion]
    /// Whether there are more of them.
    let hasMoreOffered: Bool

    /// The most versions that are known of a module while the page of another one is written.
    private static let offeredLimit = 1000

    fileprivate init(_ releases: Releases, _ identifier: ModuleIdentifier, of publisher: String, _ patterns: [String])
    {
      let newest = releases.newest
      let offered = releases.all.filter { $0.yanked == nil }.map(\.version)
      self.identifier = identifier
      self.publisher = publisher
      self.patterns = patterns
      version = newest.version
      isWithdrawn = newest.yanked != nil
      releaseCount = releases.all.count
      archiveLength = newest.archive.length
      permissionCount = newest.module.permissions.count
      required = newest.module.requirements.modules.map(\.identifier)
      words = SearchData.words(of: newest)
      self.offered = offered.suffix(Self.offeredLimit)
      hasMoreOffered = offered.count > Self.offeredLimit
    }
  }

  /// The releases of a module, which are read anew for its page.
  struct Releases {
    /// All releases, the one with the lowest sequence first.
    let all: [ModuleRelease]
    /// The number of releases that this version of Signet cannot read.
    let unreadable: Int
    /// What the page is about: the newest release that is offered; the newest one if all are withdrawn.
    let newest: ModuleRelease

    /// - Returns: nil without a release.
    fileprivate init?(_ index: ModuleIndex) {
      guard let newest = index.releases.last(where: { $0.yanked == nil }) ?? index.releases.last else { return nil }
      all = index.releases
      unreadable = index.unreadable.count
      self.newest = newest
    }
  }

  /// The publishers whose metadata is valid, in the order of their names.
  private(set) var publishers: [ShownPublisher] = []
  /// All modules, in the order of their identifiers.
  let modules: [Module]
  /// The modules by their identifiers.
  let byIdentifier: [ModuleIdentifier: Module]
  /// The modules whose newest releases require a module.
  let dependents: [ModuleIdentifier: [ModuleIdentifier]]
  /// What was left out.
  var faults: [SignetError] { faultList.faults }
  private var faultList = FaultList()
  private let offers: ModuleOffers
  /// Where the verified metadata is as long as pages are written.
  private let folder: TemporaryDirectory
  /// The top-level roles, and until when clients accept them.
  let roles: [(name: String, version: Int, expires: UnixTime)]

  /// Reads a registry's directory as a new client reads a mirror.
  ///
  /// - Throws: what ``RegistrySite/write(to:at:)`` throws of reading.
  init(_ path: String, root: [UInt8]?, at time: UnixTime) throws(SignetError) {
    folder = try TemporaryDirectory()
    offers = try Self.offers(in: path, root: root, folder: folder.path + "/metadata", at: time)
    let snapshot = offers.top.snapshot
    roles = [
      ("root", snapshot.root.role.version, snapshot.root.role.expires),
      ("targets", offers.top.role.version, offers.top.role.expires),
      ("snapshot", snapshot.role.version, snapshot.role.expires),
      ("timestamp", snapshot.timestamp.role.version, snapshot.timestamp.role.expires),
    ]
    guard case .listed(let listed)? = offers.top.role.delegations?.roles, let keys = offers.top.role.delegations?.keys
    else {
      (modules, byIdentifier, dependents) = ([], [:], [:])
      return
    }
    var all: [Module] = []
    var required: [ModuleIdentifier: [ModuleIdentifier]] = [:]
    for role in listed.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      // A publisher that has not signed yet offers nothing.
      guard snapshot.role[role.name] != nil, let delegation = try Publisher(role, keys) else { continue }
      do throws(SignetError) {
        let publisher = try Self.publisher(delegation, in: offers, required: &required, faults: &faultList)
        publishers.append(publisher)
        all += publisher.modules
      } catch  where Self.isOfContent(error) {
        faultList.append(error)
      }
    }
    modules = all.sorted { Self.precedes($0.identifier, $1.identifier) }
    byIdentifier = Dictionary(modules.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    dependents = required.mapValues { $0.sorted(by: Self.precedes) }
  }

  /// The releases of a module of the registry.
  ///
  /// - Throws: `tuf.…`, `repo.index` if the registry has changed meanwhile; `file.…`.
  func releases(of module: Module) throws(SignetError) -> Releases {
    guard let index = try offers.unkeptIndex(of: module.identifier), let releases = Releases(index) else {
      throw SignetError(
        .repoIndex, "\(module.identifier)", "is no longer offered",
        hint: "write the site again: the registry has changed")
    }
    return releases
  }

  private static func offers(
    in path: String, root: [UInt8]?, folder: String, at time: UnixTime
  ) throws(SignetError) -> ModuleOffers {
    let mirror: RepositoryMirror
    let first: [UInt8]
    do throws(SignetError) {
      let metadata = try DirectorySource(path + "/metadata")
      mirror = RepositoryMirror(metadata: metadata, targets: try DirectorySource(path + "/targets"))
      if let root {
        first = root
      } else {
        first = try metadata.bytes(of: "1.root.json", atMost: TUFLimits.standard.root)
      }
    } catch  where [.fileMissing, .fileNotDirectory, .tufNotFound].contains(error.code) {
      throw SignetError(
        .tufNoRepository, path, "is no registry", expected: "a folder that signet repo init has made", cause: error,
        hint: "name the folder that has metadata and targets in it")
    }
    let trusted = TrustedMetadataFolder(folder)
    try trusted.begin(with: first)
    return try ModuleCatalog(folder: trusted, mirrors: [mirror]).refreshed(at: time)
  }

  private static func publisher(
    _ delegation: Publisher, in offers: ModuleOffers, required: inout [ModuleIdentifier: [ModuleIdentifier]],
    faults: inout FaultList
  ) throws(SignetError) -> ShownPublisher {
    let role = try offers.publisher(delegation.name)
    var publisher = ShownPublisher(delegation: delegation, version: role.role.version, expires: role.role.expires)
    let patterns = delegation.scope.patterns
    for identifier in try offers.modules(of: role).sorted(by: precedes) {
      do throws(SignetError) {
        guard let index = try offers.unkeptIndex(of: identifier) else { continue }
        for fault in index.unreadable { faults.append(fault) }
        guard let releases = Releases(index) else { continue }
        publisher.modules.append(Module(releases, identifier, of: delegation.name, patterns))
        for requirement in releases.newest.module.requirements.modules {
          required[requirement.identifier, default: []].append(identifier)
        }
      } catch  where isOfContent(error) {
        faults.append(error)
      }
    }
    return publisher
  }

  /// Whether an error is about what somebody has published, so that it must not keep others from being shown.
  private static func isOfContent(_ error: SignetError) -> Bool {
    error.code == .repoIndex || Set.aboutTUF.contains(error.code)
  }

  private static func precedes(_ left: ModuleIdentifier, _ right: ModuleIdentifier) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }
}

extension PublisherScope {
  /// The scope in the words of a trust policy, one for each pattern.
  fileprivate var patterns: [String] {
    let start = "modules "
    let words = Self.words(for: paths)
    guard words.utf8.starts(with: start.utf8) else { return modules.map(\.description) }
    return words.dropFirst(start.count).split(separator: ", ").map(String.init)
  }
}
