internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Names in a release's directory.
enum ReleaseFile {
  /// The directory with what was unpacked.
  static let files = "files"
  /// The file with the bundles, one a line.
  static let bundles = "bundles.jsonl"
}

extension ModuleStore {
  /// Opens a release that is listed: its bundles are verified under the policy as of now, its files held against what they
  /// sign.
  ///
  /// - Throws: `store.not-installed` when it is not listed any more; `store.damaged` when it is not what was signed; the
  ///   policy's reason when it is not accepted; what reading throws.
  func open(_ release: StoreState.Release, of module: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    var listing = try ReleaseListing(self)
    return try listing.open(release, of: module)
  }

  /// Opens a release as it lies in its place now, listed or not.
  ///
  /// - Parameter written: the digests of files that this process has written there just now, which need not be read again.
  /// - Throws: what ``open(_:of:)`` throws, and never `store.not-installed`.
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
      files = try folder.folder(ReleaseFile.files)
      bundles = try folder.file(ReleaseFile.bundles)
    } catch  where [.fileMissing, .fileNotDirectory, .fileIsDirectory, .fileNotRegular].contains(error.code) {
      throw Self.damaged(name, "is not there whole", error)
    }
    let verdict = try Verifier(policy: policy, clock: judgingClock).verify(
      files.directory, written: written, signatures: .lines(of: bundles),
      expecting: .unpackedModule(module, from: release.file, named: name))
    let proof: VerifiedUnpackedModule
    switch verdict {
    case .verified(let found): proof = found
    case .refused(let refusal):
      guard refusal.isAboutStoredBytes else { throw refusal.combined }
      throw Self.damaged(name, "is not what was signed", refusal.combined)
    }
    // Its place says which release it is, and so does the state; what is signed decides.
    guard proof.module.sequence == release.sequence, proof.archiveDigest == release.sha256 else {
      throw SignetError(
        .storeDamaged, name, "is another release than its place says", expected: release.folderName,
        found: "\(proof.module.sequence)-\(proof.archiveDigest.hex)", hint: Self.damagedHint)
    }
    return InstalledModule(proof, in: place)
  }

  private static let damagedHint = "get the release's archive, and repair the installed one with it"

  private static func damaged(_ name: String, _ message: String, _ cause: SignetError) -> SignetError {
    SignetError(.storeDamaged, name, message, cause: cause, hint: damagedHint)
  }
}

extension Refusal {
  /// Whether a reason is that what is stored has changed; otherwise it is the policy's, or the time's.
  fileprivate var isAboutStoredBytes: Bool {
    let steps: [Check.Step] = [.presence, .bundle, .signature, .statement, .predicateType, .contents]
    return checks.contains { check in
      if case .failed = check.outcome { steps.contains(check.step) } else { false }
    }
  }
}
