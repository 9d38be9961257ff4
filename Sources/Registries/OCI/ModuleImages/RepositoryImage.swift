package import SignetBase
internal import SignetCrypto
package import SignetOCI
internal import SignetSystem
internal import SignetTUF

/// A repository of The Update Framework as a registry holds it.
///
/// One manifest, under the tag `metadata`, has all files of the metadata as its layers. So a client sees one state of the
/// repository, never a mixture. Each target is a blob, which a client asks for by the digest in front of its name. The
/// manifests `targets-00` to `targets-ff` name them all, so that no registry takes them for garbage; clients do not read
/// these.
package struct RepositoryImage {
  /// The tag of the metadata.
  static let metadataTag = "metadata"
  /// What the manifest of the metadata carries.
  static let metadataType = "application/vnd.signet.tuf.metadata.v1"
  /// What the manifests of targets carry.
  static let targetsType = "application/vnd.signet.tuf.targets.v1"
  /// The type of a file of metadata. Docker's mirrors of such repositories have it, too, and the annotation.
  static let fileType = "application/vnd.tuf.metadata+json"
  static let targetType = "application/vnd.tuf.target"
  static let fileName = "tuf.io/filename"

  /// What a mirroring did.
  package struct Tally: Sendable {
    /// The number of files of the metadata.
    package var metadata = 0
    /// The number of targets, and how many of them are new.
    package var targets = 0
    package var newTargets = 0
  }

  private let path: String
  private let storage: any OCIStorage

  /// - Parameters:
  ///   - path: the directory of the repository.
  ///   - storage: where it goes.
  package init(_ path: String, to storage: any OCIStorage) {
    self.path = path
    self.storage = storage
  }

  /// Copies the repository. Clients see the new state in one moment, after all of its targets are there.
  ///
  /// - Throws: `oci.repository` if it has no timestamp, or targets without their SHA-256 in front of their names;
  ///   `oci.bounds`, `oci.…`, `fetch.…`, `file.…`, `output.failed`.
  package func push() throws(SignetError) -> Tally {
    var tally = Tally()
    let empty = try OCIManifest.emptyConfig()
    try storage.put(empty.descriptor, .file(BytesInMemory(empty.bytes, path: "configuration")))
    // The timestamp is written last, so everything that it names is there already when the rest is read.
    let metadata = try metadata()
    try pushTargets(&tally)
    var layers: [OCIDescriptor] = []
    for (name, bytes) in metadata {
      let plain = try OCIDescriptor(Self.fileType, of: bytes)
      let layer = OCIDescriptor(
        Self.fileType, plain.digest, size: plain.size, annotations: [Self.fileName: name])
      try storage.put(layer, .file(BytesInMemory(bytes, path: name)))
      layers.append(layer)
    }
    tally.metadata = layers.count
    try checkOrder(metadata[0].bytes)
    try storage.put(try OCIManifest(Self.metadataType, layers: layers), tag: Self.metadataTag)
    return tally
  }

  /// The largest file of metadata: what clients read at most of a targets role.
  private static let fileLimit = TUFLimits.standard.targets

  /// The files of the metadata, the timestamp first.
  private func metadata() throws(SignetError) -> [(name: String, bytes: [UInt8])] {
    let folder = try Directory(opening: "\(path)/\(RepositoryFolder.metadataName)")
    let stamp = "timestamp.json"
    var files: [(name: String, bytes: [UInt8])] = []
    do throws(SignetError) {
      files.append((stamp, try folder.file(stamp).bytes(limit: Self.fileLimit)))
    } catch  where error.code == .fileMissing {
      throw SignetError(
        .ociRepository, path, "has no timestamp, so it is no repository that was published", cause: error,
        hint: "publish it: signet repo refresh DIRECTORY --online-key KEY")
    }
    for name in try folder.entryNames().sorted(by: { $0.precedesInBytes($1) })
    where name.utf8.suffix(5).elementsEqual(".json".utf8) && !name.isExactly(stamp) {
      files.append((name, try folder.file(name).bytes(limit: Self.fileLimit)))
    }
    return files
  }

  /// Checks that clients would not see an older state than they do: another mirroring may have been faster.
  private func checkOrder(_ timestamp: [UInt8]) throws(SignetError) {
    guard case .image(_, let layers)? = try storage.manifest(.tag(Self.metadataTag))?.content,
      let there = layers.first(where: { $0.annotations[Self.fileName]?.isExactly("timestamp.json") == true })
    else { return }
    let bytes: [UInt8]
    do throws(SignetError) { bytes = try storage.bytes(of: there, limit: Self.fileLimit) } catch
      where error.code == .ociNotFound
    {
      return
    }
    guard let known = Self.version(of: bytes), let version = Self.version(of: timestamp), version < known else {
      return
    }
    throw SignetError(
      .ociRepository, path, "is older than what is there, which clients would refuse",
      expected: "a timestamp of version \(known) or later", found: "version \(version)",
      hint: "mirror the newest state of the repository")
  }

  /// The version that metadata states. Its signatures are not checked.
  private static func version(of bytes: [UInt8]) -> Int? {
    guard let value = try? JSONReader.read(bytes, limits: JSONLimits(size: fileLimit, depth: 16, values: 10_000)),
      var object = try? JSONObject(value, "timestamp", unknownField: .ociDocument),
      var signed = try? object.object("signed")
    else { return nil }
    return try? signed.count("version")
  }

  /// Puts all targets there. What earlier mirrorings say is there is not asked for one by one, unless a registry then
  /// misses something.
  private func pushTargets(_ tally: inout Tally) throws(SignetError) {
    // In a directory, looking costs nothing.
    do throws(SignetError) { try pushTargets(&tally, believing: storage is OCIRegistry) } catch
      where error.code == .ociRefused
    {
      tally = Tally()
      try pushTargets(&tally, believing: false)
    }
  }

  private func pushTargets(_ tally: inout Tally, believing: Bool) throws(SignetError) {
    let folder = try Directory(opening: "\(path)/\(RepositoryFolder.targetsName)")
    var groups: [String: [(path: String, digest: Digest)]] = [:]
    for target in try targets() { groups[String(target.digest.hex.prefix(2)), default: []].append(target) }
    for (group, targets) in groups.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      let tag = "targets-\(group)"
      var known: [Digest: Int] = [:]
      if case .image(_, let layers)? = try storage.manifest(.tag(tag))?.content {
        for layer in layers { known[layer.digest] = layer.size }
      }
      var layers: [OCIDescriptor] = []
      for target in targets.sorted(by: { $0.digest.hex.precedesInBytes($1.digest.hex) }) {
        tally.targets += 1
        let file = try folder.file(target.path)
        let layer = OCIDescriptor(Self.targetType, target.digest, size: file.size)
        layers.append(layer)
        if believing, known[target.digest] == file.size { continue }
        if try storage.put(layer, .file(file)) { tally.newTargets += 1 }
      }
      // Targets that the repository has pruned stay: a client may be about to read them.
      let named = Set(layers.map(\.digest))
      for (digest, size) in known where !named.contains(digest) {
        let layer = OCIDescriptor(Self.targetType, digest, size: size)
        let isThere = believing ? true : try storage.has(layer)
        if isThere { layers.append(layer) }
      }
      layers.sort { $0.digest.hex.precedesInBytes($1.digest.hex) }
      try storage.put(try OCIManifest(Self.targetsType, layers: layers), tag: tag)
    }
  }

  /// A hundred thousand modules with ten releases, and an index for each; paths as long as systems allow.
  private static let targetLimits = DirectoryScan.Limits(entries: 4_000_000, pathLength: 4096, depth: 64)

  /// The paths and digests of the targets' files, each digest once.
  private func targets() throws(SignetError) -> [(path: String, digest: Digest)] {
    let place = "\(path)/\(RepositoryFolder.targetsName)"
    var found: [(path: String, digest: Digest)] = []
    var seen: Set<Digest> = []
    let scan = try DirectoryScan(Directory(opening: place), limits: Self.targetLimits)
    for entry in scan.entries where entry.status.kind == .regular {
      guard let path = String(validating: entry.path, as: UTF8.self), let digest = Self.digest(ofTarget: path) else {
        throw SignetError(
          .ociRepository, "\(place)/\(String(decoding: entry.path, as: UTF8.self).display)",
          "does not have its SHA-256 in front of its name",
          expected: "a repository with consistent snapshots, as Signet makes it",
          hint: "remove the file, if no role offers it")
      }
      if seen.insert(digest).inserted { found.append((path, digest)) }
    }
    return found
  }

  /// The digest that begins the name of a target's file; nil if the name begins with none.
  static func digest(ofTarget path: String) -> Digest? {
    let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? path.utf8[...]
    let parts = name.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return Digest(.sha256, hex: String(decoding: parts[0], as: UTF8.self))
  }
}
