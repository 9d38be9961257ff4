package import SignetArchive
package import SignetBase
package import SignetNames
package import SignetSystem
package import SignetVerify

extension Verifier {
  /// Verifies a module's archive in a private copy, whose bytes were hashed as they were written.
  ///
  /// The digests from the copying are the ones that are compared.
  ///
  /// - Throws: what ``verify(_:signatures:expecting:progress:)`` throws.
  package func verify(
    _ copy: ArchiveCopy, signatures: SignatureSource, expecting expectation: Expectation<VerifiedModule>
  ) throws(SignetError) -> Verdict<VerifiedModule> {
    try verify(
      .file(copy.file), signatures: signatures, expecting: expectation.establishingBothDigests(),
      known: HashedArtifact.Known(file: copy.digests.whole, signed: copy.digests.signed), snapshotsIn: copy.folder,
      progress: nil)
  }

  /// Verifies a module's archive that this process has just hashed.
  ///
  /// - Parameter digests: the digests of the file. The file must not have changed since: a proof is made only if it has not.
  /// - Throws: what ``verify(_:signatures:expecting:progress:)`` throws.
  package func verify(
    _ file: RegularFile, hashed digests: ArchiveDigests, signatures: SignatureSource,
    expecting expectation: Expectation<VerifiedModule>
  ) throws(SignetError) -> Verdict<VerifiedModule> {
    let verdict = try verify(
      .file(file), signatures: signatures, expecting: expectation,
      known: HashedArtifact.Known(file: digests.whole, signed: digests.signed),
      snapshotsIn: TemporaryName.usualFolder, progress: nil)
    try file.checkUnchanged()
    return verdict
  }

  /// Verifies a module that this process has just unpacked. Files that are unchanged since they were written are not
  /// read again.
  ///
  /// - Parameter written: the digests of the files, by the file status when each was finished.
  /// - Throws: what ``verify(_:signatures:expecting:progress:)`` throws.
  package func verify(
    _ directory: Directory, written: [FileStatus: Digest], signatures: SignatureSource,
    expecting expectation: Expectation<VerifiedUnpackedModule>
  ) throws(SignetError) -> Verdict<VerifiedUnpackedModule> {
    try verify(
      .directory(directory), signatures: signatures, expecting: expectation,
      known: HashedArtifact.Known(written: written),
      snapshotsIn: TemporaryName.usualFolder, progress: nil)
  }
}
