internal import ModuleCatalog
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
internal import SignetTUF

/// An archive that is pushed: verified as its publisher's, with the bundles beside it.
struct ModuleToPush {
  /// A file that becomes a target.
  struct File {
    let target: TargetFile
    let file: RegularFile
  }

  /// The release.
  let release: ModuleRelease
  /// The bundles beside the archive, the sources, then the archive.
  let files: [File]

  /// Verifies a module.
  ///
  /// - Throws: `repo.unverified`, with the refusal as its cause; `repo.out-of-scope`, `repo.depth`; what
  ///   ``SourceToPush`` throws; `file.…`.
  init(_ paths: FilesToPush, of publisher: Publisher, at time: UnixTime) throws(SignetError) {
    let path = paths.archive
    let file = try RegularFile(opening: path)
    let verifier = Verifier(policy: try Self.policy(of: publisher), clock: .fixed(time))
    let verdict = try verifier.verify(
      .file(file), signatures: .beside(path), expecting: .module(nil, named: file.baseName))
    guard case .verified(let module) = verdict else {
      guard case .refused(let refusal) = verdict else { throw SignetError(.repoUnverified, path, "is refused") }
      throw Self.refused(path, publisher, refusal)
    }
    let description = module.module
    try Self.check(description, publisher, path)
    let name = "\(RegistryLayout.archiveName).\(module.archive.format)"
    let archive = ModuleRelease.File(name: name, length: file.size, sha256: try file.sha256())
    var bundles: [(stated: ModuleRelease.File, file: RegularFile)] = []
    for (suffix, bundle) in try Self.bundles(beside: path) {
      bundles.append(
        (ModuleRelease.File(name: name + suffix, length: bundle.size, sha256: try bundle.sha256()), bundle))
    }
    let waiver = try Self.waiver(beside: path, of: description).map { (file) throws(SignetError) in
      (stated: ModuleRelease.File(name: "\(name).waiver", length: file.size, sha256: try file.sha256()), file: file)
    }
    let source = try paths.source.map { (path) throws(SignetError) in
      try SourceToPush(path, of: description, module: (file, archive), publisher: publisher, by: verifier)
    }
    let release = ModuleRelease(
      description, archive: archive, bundles: bundles.map(\.stated), waiver: waiver?.stated, source: source?.stated,
      signers: module.signatures.map { $0.identity?.name ?? "\($0.key.id)" },
      signedAt: module.signatures.compactMap { $0.statement.signedAt }.min { $0.seconds < $1.seconds },
      pushedAt: time, about: paths.about)
    files =
      (bundles + (waiver.map { [$0] } ?? []) + (source?.files ?? [])).map {
        File(target: release.target($0.stated), file: $0.file)
      }
      + [File(target: release.target(archive), file: file)]
    self.release = release
    try file.checkUnchanged()
  }

  /// A policy that trusts the publisher's keys and identities, and nobody else. Which modules they may sign is checked apart, so that
  /// the two faults have their own codes.
  private static func policy(of publisher: Publisher) throws(SignetError) -> TrustPolicy {
    var entries: [TrustEntry] = []
    for key in publisher.keys {
      entries.append(try TrustEntry("\(key.id)", .key(key), scope: TrustScope(modules: [.any])))
    }
    for (number, identities) in publisher.identities.enumerated() {
      entries.append(try TrustEntry("identities-\(number + 1)", identities, scope: TrustScope(modules: [.any])))
    }
    return try TrustPolicy(entries: entries)
  }

  private static func refused(_ path: String, _ publisher: Publisher, _ refusal: Refusal) -> SignetError {
    let hasSourceName = path.hasSuffix("-source.zip")
    return SignetError(
      .repoUnverified, path, "is not signed as a module of the publisher \(publisher.name)",
      expected: publisher.signatureWords, cause: refusal.combined,
      hint: hasSourceName
        ? "sources are pushed with their module: signet repo push DIRECTORY MODULE --source FILE --publisher NAME --key KEY"
        : "sign it with the publisher's key: signet sign FILE --key KEY")
  }

  private static func check(
    _ module: ModuleDescription, _ publisher: Publisher, _ path: String
  ) throws(SignetError) {
    let labels = RegistryLayout.labels(module.identifier)
    guard labels.count <= RegistryLayout.labelLimit else {
      throw SignetError(
        .repoDepth, "\(module.identifier)", "has too many labels for a registry",
        expected: "at most \(RegistryLayout.labelLimit)", found: "\(labels.count)")
    }
    guard try publisher.mayOffer(module.identifier) else {
      throw SignetError(
        .repoOutOfScope, "\(module.identifier)", "is no module that the publisher \(publisher.name) may offer",
        expected: PublisherScope.words(for: publisher.scope.paths))
    }
  }

  /// The waiver that is beside an archive (`signet trust waive`); nil if there is none. Clients verify it.
  ///
  /// - Throws: `continuity.waiver` if it is none, or is about another release; `file.…`.
  private static func waiver(
    beside path: String, of module: ModuleDescription
  ) throws(SignetError) -> RegularFile? {
    let file: RegularFile
    do throws(SignetError) { file = try RegularFile(opening: path + ".waiver") } catch
      where error.code == .fileMissing
    { return nil }
    do throws(SignetError) {
      let waiver = try ContinuityWaiver(reading: file.bytes(limit: ContinuityWaiver.sizeLimit))
      guard waiver.module == module.identifier, waiver.sequence == module.sequence else {
        throw SignetError(
          .continuityWaiver, "waiver", "is about another release",
          expected: "\(module.identifier), sequence \(module.sequence)",
          found: "\(waiver.module), sequence \(waiver.sequence)",
          hint: "make it anew: signet trust waive FILE --key KEY --reason TEXT")
      }
    } catch { throw error.about("\(path).waiver: \(error.object)") }
    return file
  }

  /// The files with bundles that are beside an archive, by the ends of their names; one file alone if it has all bundles.
  private static func bundles(beside path: String) throws(SignetError) -> [(suffix: String, file: RegularFile)] {
    var bundles: [(suffix: String, file: RegularFile)] = []
    for suffix in [".sigstore.json", ".sigstore.jsonl"] {
      do throws(SignetError) {
        bundles.append((suffix, try RegularFile(opening: path + suffix)))
      } catch  where error.code == .fileMissing {
        continue
      }
    }
    guard bundles.count == 2 else { return bundles }
    // Clients fetch one file. What signet sign --append writes has the bundles of the other one, too.
    func texts(_ file: RegularFile, isList: Bool) throws(SignetError) -> [[UInt8]] {
      try SigstoreBundle.all(in: file, isList: isList).map { (bundle) throws(SignetError) in
        try bundle.canonicalBytes()
      }
    }
    let list = try texts(bundles[1].file, isList: true)
    guard try texts(bundles[0].file, isList: false).allSatisfy({ list.contains($0) }) else {
      throw SignetError(
        .repoUnverified, path, "has bundles in two files, of which clients fetch one",
        expected: "all bundles in \(path).sigstore.jsonl",
        hint: "put the bundle of the other file there, too, and remove that file")
    }
    return [bundles[1]]
  }
}

extension Publisher {
  /// The keys and identities of the publisher, for messages.
  var signatureWords: String {
    "a signature by \((keys.map { "\($0.id)" } + identities.map { "\($0)".display }).joined(separator: " or "))"
  }
}
