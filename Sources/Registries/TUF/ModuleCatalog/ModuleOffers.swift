public import ModuleStore
public import Signet
public import SignetBase
internal import SignetCrypto
internal import SignetSystem
package import SignetTUF

/// What a registry offers at one time: indexes whose publishers, and whose freshness, were verified.
///
/// A value is used by one thread at a time.
public final class ModuleOffers: ReleaseOffers {
  private let client: TUFClient
  /// When the offers were asked for.
  private let time: UnixTime
  /// Whether a mirror was asked then.
  private let isFresh: Bool
  /// The top-level targets, which delegate to the publishers.
  package let top: FreshTargets

  /// The folder beside the trusted metadata in which indexes are kept.
  private static let folderName = "indexes"

  /// The most bytes of one publisher's indexes.
  private let indexBytes: Int
  /// The number of bytes that were read, by the publisher's role.
  private var read: [[UInt8]: Int] = [:]
  /// The modules whose indexes were read.
  private var counted: Set<ModuleIdentifier> = []

  init(_ client: TUFClient, indexBytes: Int, at time: UnixTime, isFresh: Bool) throws(SignetError) {
    self.indexBytes = indexBytes
    self.time = time
    self.isFresh = isFresh
    guard let top = client.targets else {
      throw SignetError(.tufNoRoot, client.folder.path, "has no metadata that was refreshed")
    }
    self.client = client
    self.top = top
  }

  /// What was wrong with mirrors that were left for others, with the clock, and with publishers that ``modules()`` has left
  /// out.
  public var complaints: [SignetError] { client.complaints.map(\.error) + faults }
  private var faults: [SignetError] = []

  /// The releases of a module that its publisher offers.
  ///
  /// An index that did not change since it was fetched is not fetched again. What one publisher offers is read up to
  /// ``ModuleCatalog/indexBytes``.
  ///
  /// - Returns: nil if no publisher offers the module.
  /// - Throws: `repo.index`; `tuf.…`; what the mirrors throw; `output.failed`.
  public func index(of module: ModuleIdentifier) throws(SignetError) -> ModuleIndex? {
    guard let target = try indexTarget(module) else { return nil }
    try count(target, of: module)
    let folder = "\(client.folder.path)/\(Self.folderName)"
    do throws(SystemFailure) { _ = try Directory.make(folder, mode: 0o755) } catch {
      throw SignetError(.outputFailed, folder, "cannot be created", cause: error)
    }
    return try ModuleIndex(
      json: client.bytes(of: target, keptAt: "\(folder)/\(Self.fileName(of: module))"), of: module)
  }

  /// When the releases of a module came, by their sequences: as the publisher says, but not before the last time that this
  /// client has looked and has not found them.
  ///
  /// The first call for a module begins to write down what this client finds, beside the kept index.
  ///
  /// - Throws: what ``index(of:)`` throws; `output.…`.
  public func arrivals(of module: ModuleIdentifier) throws(SignetError) -> [Int: UnixTime] {
    guard let index = try index(of: module) else { return [:] }
    var arrivals = try ReleaseArrivals(
      at: "\(client.folder.path)/\(Self.folderName)/\(Self.fileName(of: module)).times")
    // Who has asked nobody has not looked.
    if isFresh { try arrivals.look(at: index, time) }
    return Dictionary(index.releases.map { ($0.sequence, arrivals.time(of: $0, time)) }, uniquingKeysWith: max)
  }

  /// Adds an index to those that its publisher makes this client read.
  private func count(_ target: VerifiedTarget, of module: ModuleIdentifier) throws(SignetError) {
    guard !counted.contains(module) else { return }
    let publisher = try top.steps(for: TargetPath(target.path)).first?.role ?? target.role
    let sum = read[Array(publisher.utf8), default: 0] + target.file.length
    guard sum <= indexBytes else { throw tooMuch(publisher, sum) }
    read[Array(publisher.utf8)] = sum
    counted.insert(module)
  }

  private func tooMuch(_ publisher: String, _ sum: Int) -> SignetError {
    SignetError(
      .repoIndex, publisher.display, "offers indexes of modules that are together larger than a client reads",
      expected: "at most \(indexBytes) bytes", found: "\(sum) bytes or more",
      hint: "ask the registry's owner whether the publisher has made them")
  }

  /// The releases of a module that its publisher offers, for those who ask once and keep nothing.
  ///
  /// - Returns: nil if no publisher offers the module.
  /// - Throws: what ``index(of:)`` throws, but for `output.failed`.
  package func unkeptIndex(of module: ModuleIdentifier) throws(SignetError) -> ModuleIndex? {
    guard let target = try indexTarget(module) else { return nil }
    return try ModuleIndex(json: client.bytes(of: target), of: module)
  }

  /// The name of a kept index. A long identifier gives the name of its digest.
  private static func fileName(of module: ModuleIdentifier) throws(SignetError) -> String {
    let name = "\(module).json"
    // NAME_MAX of common file systems, with room for a suffix.
    guard name.utf8.count > 248 else { return name }
    return try "sha256-\(Digest.of(Array(name.utf8), .sha256).hex).json"
  }

  private func indexTarget(_ module: ModuleIdentifier) throws(SignetError) -> VerifiedTarget? {
    guard let target = try client.target(RegistryLayout.indexPath(of: module)) else { return nil }
    guard target.file.length <= ModuleIndex.sizeLimit else {
      throw SignetError(
        .repoIndex, target.path, "is larger than an index may be", expected: "at most \(ModuleIndex.sizeLimit) bytes",
        found: "\(target.file.length) bytes", hint: "ask the module's publisher")
    }
    return target
  }

  /// The releases of a module, with what to download for each.
  ///
  /// - Returns: nothing for a module that no publisher offers.
  /// - Throws: what ``index(of:)`` and ``items(for:)`` throw.
  public func releases(of module: ModuleIdentifier) throws(SignetError) -> [OfferedRelease] {
    try index(of: module)?.releases.map { (release) throws(SignetError) in
      try OfferedRelease(
        release.module, withdrawn: release.yanked, items: items(for: release), hasWaiver: release.waiver != nil)
    } ?? []
  }

  /// The text of the waiver that a release's publisher has published with it.
  ///
  /// - Returns: nil if there is none.
  /// - Throws: what ``index(of:)`` and ``download(_:of:to:)`` throw; `file.…`.
  public func waiver(of release: OfferedRelease) throws(SignetError) -> [UInt8]? {
    let module = release.module.identifier
    guard let known = try index(of: module)?.releases.first(where: { $0.sequence == release.module.sequence }),
      let file = known.waiver, file.length <= ContinuityWaiver.sizeLimit
    else { return nil }
    let path = try "\(client.folder.path)/\(Self.folderName)/\(Self.fileName(of: module)).waiver"
    try download(file, of: known, to: path)
    return try RegularFile(opening: path).bytes(limit: ContinuityWaiver.sizeLimit)
  }

  /// The identifiers of all modules that publishers offer, in the order of their bytes.
  ///
  /// This asks for the metadata of every publisher, as far as it has changed. A publisher whose metadata is at fault is left
  /// out, and told as a complaint: it keeps nobody from the modules of the others. So are the modules of a publisher whose
  /// indexes would be too much to read.
  ///
  /// - Throws: `tuf.…`; what the mirrors throw if they cannot be reached; `output.failed`.
  public func modules() throws(SignetError) -> [ModuleIdentifier] {
    var modules: [ModuleIdentifier] = []
    // A publisher that has not signed yet offers nothing.
    for name in try names(below: top) where top.snapshot.role[name] != nil {
      do throws(SignetError) {
        var sum = 0
        for (module, length) in try indexes(of: publisher(name)) {
          sum += min(length, ModuleIndex.sizeLimit)
          guard sum <= indexBytes else { throw tooMuch(name, sum) }
          modules.append(module)
        }
      } catch  where isOfPublisher(error) {
        faults.append(error)
      }
    }
    return modules.sorted { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
  }

  /// Whether a publisher's metadata or an index is at fault, and not the network or this machine.
  public func isOfPublisher(_ error: SignetError) -> Bool {
    let isOfAll = [.tufUnreachable, .tufTooSlow, .tufNoRoot].contains(error.code)
    return [.repoIndex, .repoProvenance].contains(error.code) || Set.aboutTUF.contains(error.code) && !isOfAll
  }

  /// The metadata of a publisher.
  ///
  /// - Throws: `tuf.…`; what the mirrors throw; `output.failed`.
  package func publisher(_ name: String) throws(SignetError) -> FreshTargets {
    try client.role(name, delegatedBy: top)
  }

  /// The identifiers of all modules that a publisher offers, in the order of its metadata.
  ///
  /// - Throws: `tuf.…`; what the mirrors throw; `output.failed`.
  package func modules(of publisher: FreshTargets) throws(SignetError) -> [ModuleIdentifier] {
    try indexes(of: publisher).map(\.module)
  }

  private func indexes(of publisher: FreshTargets) throws(SignetError) -> [(module: ModuleIdentifier, length: Int)] {
    var modules: [(module: ModuleIdentifier, length: Int)] = []
    var roles = [publisher]
    roles += try self.roles(below: publisher)
    for role in roles {
      for target in role.role.targets {
        guard let module = RegistryLayout.module(ofIndex: target.path) else { continue }
        // Clients ask one role for a path. What other roles state about it does not count.
        let path = try TargetPath(target.path)
        guard top.steps(for: path).first?.role.isExactly(publisher.name) ?? false,
          role.name.isExactly(publisher.name)
            || publisher.steps(for: path).first?.role.isExactly(role.name) ?? false
        else { continue }
        modules.append((module, target.length))
      }
    }
    return modules
  }

  private func names(below delegator: FreshTargets) throws(SignetError) -> [String] {
    try delegator.role.delegations?.names(atMost: delegator.snapshot.metadata.role.files.count) ?? []
  }

  private func roles(below delegator: FreshTargets) throws(SignetError) -> [FreshTargets] {
    try names(below: delegator).map { (name) throws(SignetError) in try client.role(name, delegatedBy: delegator) }
  }

  /// What to download for a release: an item for each mirror, in the order in which they are asked.
  ///
  /// - Throws: `fetch.url` for a mirror that is not one of HTTP; `tuf.unknown-hash`.
  public func items(for release: ModuleRelease) throws(SignetError) -> [DownloadItem] {
    let isConsistent = top.snapshot.root.role.consistentSnapshot
    let archive = try release.target(release.archive).urlPath(isConsistent: isConsistent)
    let bundle = try release.bundles.last.map { (file) throws(SignetError) in
      try release.target(file).urlPath(isConsistent: isConsistent)
    }
    return try client.mirrors.map { (mirror) throws(SignetError) in
      let place = mirror.targets.name
      return try DownloadItem(
        release.identifier, version: release.version, sequence: release.sequence, url: place + archive,
        signature: bundle.map { place + $0 }, sha256: release.archive.sha256, size: release.archive.length)
    }
  }

  /// Downloads a file of a release, unless it is there with the right bytes.
  ///
  /// - Parameters:
  ///   - file: the archive or a file of bundles.
  ///   - release: the release.
  ///   - path: where the file is put. It appears only when everything has been checked.
  /// - Throws: `tuf.hash-mismatch`, `tuf.too-short`, `tuf.too-long`; what the mirrors throw; `output.failed`.
  public func download(_ file: ModuleRelease.File, of release: ModuleRelease, to path: String) throws(SignetError) {
    let target = release.target(file)
    let urlPath = try target.urlPath(isConsistent: top.snapshot.root.role.consistentSnapshot)
    try client.download(target, at: urlPath, toFile: path)
  }
}
