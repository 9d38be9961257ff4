internal import ModuleStore
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A module's file in the cache that was verified, and is known by its digest from then on.
///
/// The file is read once for that. It does not stay open: of many modules there would be too many. The store copies it when
/// all modules are verified, and takes these bytes or none.
struct VerifiedBinary: Sendable {
  /// The module's description, which its signers have signed.
  let module: ModuleDescription
  /// The SHA-256 of the whole file.
  let sha256: Digest
  /// The SHA-256 that is signed for it: that of the file without its signing block.
  let signedSHA256: Digest?
  /// What it was signed with.
  let record: SigningRecord
  private let path: String
  private let name: String
  private let signatures: SignatureSource

  /// Verifies a file.
  ///
  /// - Parameters:
  ///   - digest: what the lock or the spec says of the file; nil for what has none, which is refused.
  ///   - also: more to check about the file while it is open.
  /// - Throws: `digest.mismatch`; why it is refused; `file.…`; what `also` throws.
  init(
    _ path: String, _ digest: Digest?, signatures: SignatureSource, of identifier: ModuleIdentifier,
    called name: String, by verifier: Verifier,
    also: (RegularFile, Digest, ModuleDescription) throws(SignetError) -> Void = { _, _, _ in }
  ) throws(SignetError) {
    let file = try RegularFile(opening: path)
    let digests = try ArchiveDigests(of: file)
    sha256 = digests.whole.sha256
    guard let digest, sha256 == digest else {
      throw SignetError(.digestMismatch, name, "was changed in the cache", found: path, hint: "install again")
    }
    let verdict = try verifier.verify(
      file, hashed: digests, signatures: signatures, expecting: .module(identifier, named: name))
    switch verdict {
    case .refused(let refusal):
      var error = refusal.combined
      error.object = name
      throw error
    case .verified(let proof):
      try also(file, sha256, proof.module)
      module = proof.module
      signedSHA256 = proof.sha256
      record = SigningRecord(proof.signatures, under: verifier.policy)
    }
    self.path = path
    self.name = name
    self.signatures = signatures
  }

  /// The file for a store.
  ///
  /// - Throws: `file.…`.
  func toInstall(except exceptions: ContinuityExceptions) throws(SignetError) -> ModuleToInstall {
    var install = ModuleToInstall(
      module.identifier, sequence: module.sequence, called: name, in: try RegularFile(opening: path), sha256: sha256,
      signatures: signatures)
    install.exceptions = exceptions
    return install
  }
}
