public import Signet
public import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A release that a store lists, and the result of opening it.
public struct StoredRelease: Sendable {
  /// The identifier of the module.
  public let identifier: ModuleIdentifier
  /// The sequence of the release.
  public let sequence: Int
  /// The SHA-256 of the release's archive, without the signing block.
  public let sha256: Digest
  /// Whether this is the release to load.
  public let isActive: Bool
  /// How many crashes in a row only this release can have caused, as far as they are counted.
  public let crashes: Int
  /// Whether the release is not loaded because it has crashed too often.
  public let isSetAside: Bool
  /// Whether a host loads the release alone, because it or another release may have crashed the host.
  public let isHeldBack: Bool
  /// The proof that the release is installed as it was signed and is accepted now, or the reason against it.
  public let standing: Result<InstalledModule, SignetError>
}

extension ModuleStore {
  /// Opens everything that is installed, and says of each release whether it is as it was signed and is accepted now.
  ///
  /// Each release's bundles are verified under the current policy, and its files are checked against what they sign.
  ///
  /// - Parameter identifier: only this module's releases; nil for all.
  /// - Returns: every listed release, sorted by module and sequence, good or not.
  /// - Throws: `store.locked`, `store.write-failed`, `store.state-missing`, `store.state-malformed`, `file.…`.
  public func verify(_ identifier: ModuleIdentifier? = nil) throws(SignetError) -> [StoredRelease] {
    let hold = try hold()
    defer { withExtendedLifetime(hold) {} }
    let modules = try state().modules.keys.filter { identifier == nil || $0 == identifier }
    var releases: [StoredRelease] = []
    for module in modules.sorted(by: { "\($0)".precedesInBytes("\($1)") }) {
      releases += try listing { (listing) throws(SignetError) in verify(module, in: &listing) }
    }
    return releases
  }

  private func verify(_ module: ModuleIdentifier, in listing: inout ReleaseListing) -> [StoredRelease] {
    let known = listing.state.modules[module] ?? ModuleRecord()
    let standings = known.releases.map { release in
      Result { () throws(SignetError) in try listing.open(release, of: module) }
    }
    let choice = known.choice(embedded: nil, policy: policy) { sequence in
      zip(known.releases, standings).contains { $0.sequence == sequence && (try? $1.get()) != nil }
    }
    return zip(known.releases, standings).map { release, standing in
      let isActive = if case .run(release.sequence, _) = choice { true } else { false }
      return StoredRelease(
        identifier: module, sequence: release.sequence, sha256: release.sha256, isActive: isActive,
        crashes: known.crash(release.sequence)?.count ?? 0, isSetAside: known.isSetAside(release.sequence),
        isHeldBack: known.crash(release.sequence)?.isHeldBack ?? false, standing: standing)
    }
  }

  /// The releases that are installed as they were signed and are accepted now, sorted by module and sequence.
  ///
  /// - Throws: what ``verify(_:)`` throws.
  public func installed() throws(SignetError) -> [InstalledModule] {
    try verify().compactMap { try? $0.standing.get() }
  }

  static func notInstalled(_ module: ModuleIdentifier, _ sequence: Int?) -> SignetError {
    SignetError(
      .storeNotInstalled, "\(module)", "is not installed",
      expected: sequence.map { "release \($0)" } ?? "a release",
      hint: "list the installed modules: signet store list --store DIR --policy POLICY")
  }
}

/// Names in a release's directory.
enum StoredFile {
  /// The directory with what was unpacked.
  static let files = "files"
  /// The file with the bundles, one per line.
  static let bundles = "bundles.jsonl"
}

extension ModuleStore {
  /// Opens a listed release. Its bundles are verified under the current policy, and its files are checked against what
  /// they sign.
  ///
  /// - Throws: `store.not-installed` if it is no longer listed; `store.damaged` if it is not what was signed; the
  ///   policy's reason if it is not accepted; errors of reading.
  func open(_ release: StoreState.Release, of module: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    var listing = try ReleaseListing(self)
    return try listing.open(release, of: module)
  }

  /// Opens a release as it is in its place now, listed or not.
  ///
  /// - Parameter written: the digests of files that this process has just written there, which need not be read again.
  /// - Throws: what ``open(_:of:)`` throws, but never `store.not-installed`.
  func openPlaced(
    _ release: StoreState.Release, of module: ModuleIdentifier, written: [FileStatus: Digest] = [:]
  ) throws(SignetError) -> InstalledModule {
    let name = "\(module) \(release.sequence)"
    let place: ReleasePlace
    let files: StoreFolder
    let bundles: RegularFile
    do throws(SignetError) {
      place = try ReleasePlace(release.folderName, of: module, in: self)
      let folder = try place.folder()
      files = try folder.folder(StoredFile.files)
      bundles = try folder.file(StoredFile.bundles)
    } catch  where [.fileMissing, .fileNotDirectory, .fileIsDirectory, .fileNotRegular].contains(error.code) {
      throw Self.damaged(name, "is incomplete", error)
    }
    let verdict = try verifier.verify(
      files.directory, written: written, signatures: .lines(of: bundles),
      expecting: .unpackedModule(module, from: release.file, named: name))
    let proof: VerifiedUnpackedModule
    switch verdict {
    case .verified(let found): proof = found
    case .refused(let refusal):
      guard refusal.isAboutStoredBytes else { throw refusal.combined }
      throw Self.damaged(name, "is not what was signed", refusal.combined)
    }
    // Its place and the state say which release it is, but what is signed decides.
    guard proof.module.sequence == release.sequence, proof.archiveDigest == release.sha256 else {
      throw SignetError(
        .storeDamaged, name, "is not the release that its folder names", expected: release.folderName,
        found: "\(proof.module.sequence)-\(proof.archiveDigest.hex)", hint: Self.damagedHint)
    }
    return InstalledModule(proof, in: place)
  }

  private static let damagedHint =
    "get the release's archive, and repair the installed one: signet store install ARCHIVE --store DIR --policy POLICY --repair"

  private static func damaged(_ name: String, _ message: String, _ cause: SignetError) -> SignetError {
    SignetError(.storeDamaged, name, message, cause: cause, hint: damagedHint)
  }
}

extension Refusal {
  /// Whether a reason is that what is stored has changed. Otherwise the reason is the policy's, or the time's.
  fileprivate var isAboutStoredBytes: Bool {
    let steps: [Check.Step] = [.presence, .bundle, .signature, .statement, .predicateType, .contents]
    return checks.contains { check in
      guard case .failed(let reason) = check.outcome else { return false }
      // A summary that was changed has no step of its own.
      return steps.contains(check.step) || check.step == .summary && reason.code == .signatureInvalid
    }
  }
}
