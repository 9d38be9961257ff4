internal import ModuleCatalog
internal import ModuleRegistry
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
internal import SignetTUF

/// What a registry with very many modules costs its clients and its publishers: requests, bytes, time and memory.
struct RegistryScale {
  /// What one step took.
  struct Cost {
    /// Requests of a client, or files that a publisher has written.
    let count: Int
    let bytes: Int
    /// Seconds of processor time.
    let time: Double
  }

  /// What is measured, in the order of the table.
  enum Step: String, CaseIterable {
    case firstContact = "first contact of a client"
    case quietRefresh = "refresh without news"
    case install = "one module, the first of its publisher"
    case another = "another module of that publisher"
    case push = "push of a release (bytes and files that are written)"
    case dailyRefresh = "refresh after a push"
    case news = "news of 20 modules of one publisher, after that"
    case refresh = "repo refresh (bytes and files that are written)"

    /// The goals: requests and bytes at most.
    var goal: (count: Int?, bytes: Int)? {
      switch self {
      case .dailyRefresh: (5, 50_000)
      case .install: (nil, 300_000)
      default: nil
      }
    }
  }

  let modules: Int
  let publishers: Int
  /// The roles that the snapshot lists.
  let roles: Int
  private(set) var costs: [Step: Cost] = [:]

  /// Measures a registry.
  ///
  /// - Parameter mostTargets: the number of files above which a publisher's role is divided into bins; nil for the
  ///   usual one.
  init(publishers: Int, modules: Int, mostTargets: Int?, _ workshop: Workshop) throws {
    self.modules = publishers * modules
    self.publishers = publishers
    StandardStream.error.write("making a registry of \(publishers * modules) modules\n")
    let registry = try LargeRegistry("registry", publishers: publishers, modules: modules, mostTargets: mostTargets)
    defer { _ = try? ChildProcess.run(Command("sh", "-c", "rm -rf registry registry.*")) }
    roles = try registry.registry.folder.load().snapshot?.role.files.count ?? 0
    let metadata = try CountingSource("registry/metadata")
    let targets = try CountingSource("registry/targets")
    let folder = TrustedMetadataFolder("registry.client")
    try folder.begin(with: registry.firstRoot())
    let catalog = ModuleCatalog(folder: folder, mirrors: [RepositoryMirror(metadata: metadata, targets: targets)])
    func client(_ step: Step, _ body: () throws -> Void) throws {
      let start = Clock.now()
      try body()
      let end = Clock.now()
      let (one, other) = (metadata.take(), targets.take())
      costs[step] = Cost(
        count: one.requests + other.requests, bytes: one.bytes + other.bytes, time: end.cpu - start.cpu)
    }
    func publisher(_ step: Step, _ body: () throws -> Void) throws {
      _ = try ChildProcess.run(Command("touch", "registry.stamp"))
      let start = Clock.now()
      try body()
      let end = Clock.now()
      let (count, size) = try Self.written()
      costs[step] = Cost(count: count, bytes: size, time: end.cpu - start.cpu)
    }
    func index(_ number: Int, _ offers: ModuleOffers) throws {
      guard let module = ModuleIdentifier(LargeRegistry.module(number, of: 0)), try offers.index(of: module) != nil
      else {
        throw BenchFailure(message: "module \(number) is not offered")
      }
    }
    let now = LargeRegistry.now
    try client(.firstContact) { _ = try catalog.refreshed(at: now) }
    try client(.quietRefresh) { _ = try catalog.refreshed(at: now) }
    var offers = try catalog.stored(at: now)
    try client(.install) { try index(0, offers) }
    try client(.another) { try index(1, offers) }
    for number in 2..<LargeRegistry.installed { try index(number, offers) }
    _ = (metadata.take(), targets.take())
    let archive = try Self.archive(registry, workshop)
    try publisher(.push) { try registry.push(archive) }
    try client(.dailyRefresh) { offers = try catalog.refreshed(at: now) }
    try client(.news) { for number in 0..<LargeRegistry.installed { try index(number, offers) } }
    try publisher(.refresh) { try registry.refresh() }
  }

  /// The next release of the first module, signed.
  private static func archive(_ registry: LargeRegistry, _ workshop: Workshop) throws -> String {
    try TestDirectory.makeFolder("registry.module")
    defer { _ = try? ChildProcess.run(Command("rm", "-rf", "registry.module")) }
    try TextFile.write(
      """
      {"identifier":"\(LargeRegistry.module(0, of: 0))","version":"2.0.0","sequence":\(LargeRegistry.versions + 1)}
      """, to: "registry.module/module.json")
    let path = "registry.zip"
    _ = try ModulePacker().pack(.directory(Directory(opening: "registry.module")), to: path, as: .zip, replaces: true)
    let bundle = try Signer(registry.moduleKey).sign(
      module: .file(RegularFile(opening: path)),
      try Signer.ModuleClaims(name: "module", minimumSequence: nil, signedAt: LargeRegistry.now, notAfter: nil))
    try TextFile.write(String(decoding: bundle.canonicalBytes(), as: UTF8.self), to: path + ".sigstore.json")
    return path
  }

  /// The number and the bytes of the files in the registry that were written since the stamp.
  private static func written() throws -> (count: Int, bytes: Int) {
    let sizes = try ChildProcess.output(
      Command("find", "registry", "-type", "f", "-newer", "registry.stamp", "-size", "+0", "-printf", "%s\n"))
    let numbers = sizes.split(separator: "\n").compactMap { Int($0) }
    return (numbers.count, numbers.reduce(0, +))
  }
}
