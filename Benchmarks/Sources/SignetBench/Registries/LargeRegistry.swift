internal import ModuleCatalog
internal import ModuleRegistry
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetTUF

/// A registry with very many modules, of which the metadata is there and most files are not: nobody asks for them.
struct LargeRegistry {
  /// The folder of the registry.
  let path: String
  let publishers: Int
  /// The number of modules of each publisher.
  let modules: Int
  let registry: ModuleRegistry
  private let keys: [PrivateKey]
  private let online: PrivateKey

  static let versions = 10
  static let now = UnixTime(seconds: 1_800_000_000)
  /// The number of modules of the first publisher whose indexes are there, so that they can be asked for and pushed.
  static let installed = 20

  /// Makes the registry.
  ///
  /// - Parameter mostTargets: the number of files above which a publisher's role is divided into bins; nil for the
  ///   usual one.
  init(_ path: String, publishers: Int, modules: Int, mostTargets: Int?) throws {
    self.path = path
    self.publishers = publishers
    self.modules = modules
    var registry = ModuleRegistry(path, at: Self.now)
    if let mostTargets { registry.mostTargets = mostTargets }
    self.registry = registry
    let root = try PrivateKey.generate(.ed25519)
    let targets = try PrivateKey.generate(.ed25519)
    online = try PrivateKey.generate(.ed25519)
    keys = try (0..<publishers).map { _ in try PrivateKey.generate(.ed25519) }
    try registry.begin(
      with: RegistryKeys(
        root: RoleKeys([root.publicKey], threshold: 1, of: "root"),
        targets: RoleKeys([targets.publicKey], threshold: 1, of: "targets"),
        online: RoleKeys([online.publicKey], threshold: 1, of: "online")))
    for number in 0..<publishers {
      guard let pattern = ModulePattern("com.publisher\(number).**") else { continue }
      try registry.addPublisher(
        Self.publisher(number), RoleKeys([keys[number].publicKey], threshold: 1, of: Self.publisher(number)),
        PublisherScope([pattern]))
    }
    for key in [root, targets] + keys { _ = try registry.sign(registry.pendingChanges(), with: key) }
    _ = try registry.refresh(signedBy: [online])
    for number in 0..<publishers { try fill(number) }
  }

  private static func publisher(_ number: Int) -> String { "publisher\(number)" }

  /// The identifier of a module.
  static func module(_ number: Int, of publisher: Int) -> String { "com.publisher\(publisher).module\(number)" }

  /// Offers all modules of a publisher.
  private func fill(_ publisher: Int) throws {
    try registry.folder.changing { (content) throws(SignetError) in
      guard let top = content.targets?.role else { return }
      var role = try RoleTargets(of: Self.publisher(publisher), under: top, in: content, continuing: .published)
      for number in 0..<modules {
        let place = "com/publisher\(publisher)/module\(number)"
        for version in 0..<Self.versions {
          let digest = try Self.digest(publisher, number, version)
          try role.insert(
            TargetFile(
              path: "\(place)/1.\(version).0/module.zip", length: 100_000 + number, hashes: FileHashes([digest])))
        }
        let text = try Self.index(publisher, number)
        let target = TargetFile(
          path: "\(place)/releases/index.json", length: text.count, hashes: try FileHashes(of: text))
        if publisher == 0, number < Self.installed { try registry.folder.store(target, text) }
        try role.insert(target)
      }
      let until = UnixTime(seconds: Self.now.seconds + 300 * 86_400)
      for draft in try role.drafts(until: until, dividedAbove: registry.mostTargets) {
        var signed = try MetadataDraft(draft.role)
        try signed.sign(with: keys[publisher])
        try registry.folder.setPending(draft.name, signed)
      }
    }
    for number in 0..<modules {
      try TestDirectory.makeFolders("\(path)/targets/com/publisher\(publisher)/module\(number)/releases")
    }
    _ = try registry.refresh(signedBy: [online])
  }

  private static func digest(_ publisher: Int, _ number: Int, _ version: Int) throws(SignetError) -> Digest {
    try Digest.of(Array("\(publisher) \(number) \(version)".utf8), .sha256)
  }

  /// The index of a module as pushes would have written it.
  private static func index(_ publisher: Int, _ number: Int) throws(SignetError) -> [UInt8] {
    let name = module(number, of: publisher)
    var releases: [String] = []
    for version in 0..<versions {
      let digest = try digest(publisher, number, version)
      releases.append(
        """
        {"archive":{"length":\(100_000 + number),"name":"module.zip","sha256":"\(digest.hex)"},"module":{"identifier":\
        "\(name)","permissions":["network"],"requires":{"host":">=1.0.0","modules":[{"identifier":"com.example.base",\
        "versions":">=1.0.0 <2.0.0"}]},"resources":["assets"],"routes":["ui://module\(number)/:page"],"sequence":\(version + 1),\
        "version":"1.\(version).0"},"signers":["SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"]}
        """)
    }
    return Array(#"{"identifier":"\#(name)","releases":[\#(releases.joined(separator: ","))],"version":1}"#.utf8)
  }

  /// Signs and pushes the next release of a module of the first publisher, and publishes it.
  func push(_ archive: String) throws {
    _ = try registry.push([archive], of: Self.publisher(0), signedBy: [keys[0]], online: [online])
  }

  /// Publishes a new timestamp.
  func refresh() throws { _ = try registry.refresh(signedBy: [online]) }

  /// The key that signs the modules of the first publisher.
  var moduleKey: PrivateKey { keys[0] }

  /// The first root.
  func firstRoot() throws -> [UInt8] {
    try DirectorySource(path + "/metadata").bytes(of: "1.root.json", atMost: 1 << 20)
  }
}
