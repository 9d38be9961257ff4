public import ModuleCatalog
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The sources of a release that is pushed: those of the module, built from the commit that the module was built from.
struct SourceToPush {
  /// The sources, as the index has them.
  let stated: ModuleRelease.Source
  /// The source archive and both files of provenance.
  let files: [(stated: ModuleRelease.File, file: RegularFile)]

  /// Verifies sources.
  ///
  /// The provenance of an archive is the file beside it that `signet release` writes.
  ///
  /// - Parameters:
  ///   - path: the source archive.
  ///   - description: the module's description.
  ///   - module: the module's archive, and how the index names it.
  ///   - verifier: trusts the publisher's keys.
  /// - Throws: `source.malformed`, `source.other-module`; `repo.no-provenance`, `repo.provenance`; `repo.unverified` for a
  ///   provenance that is not the publisher's; `repo.other-commit`; `file.…`.
  init(
    _ path: String, of description: ModuleDescription, module: (file: RegularFile, stated: ModuleRelease.File),
    publisher: Publisher, by verifier: Verifier
  ) throws(SignetError) {
    let file = try RegularFile(opening: path)
    let sources = try SourceArchive(file)
    try sources.check(of: description)
    let archive = ModuleRelease.File(
      name: "\(RegistryLayout.sourceName).\(sources.format)", length: file.size, sha256: try file.sha256())
    func provenance(
      of artifact: RegularFile, _ stated: ModuleRelease.File, at place: String
    ) throws(SignetError) -> (stated: ModuleRelease.File, file: RegularFile, source: ProvenancePredicate) {
      let statement = try Self.provenance(beside: place)
      let source: ProvenancePredicate
      do throws(SignetError) {
        source = try ReleaseProvenance.source(
          of: artifact, sha256: stated.sha256, called: place, statedIn: statement, of: description, by: verifier)
      } catch {
        if error.isAboutReading || error.code == .repoProvenance { throw error }
        throw SignetError(
          .repoUnverified, statement.path, "is no provenance of \(place) by the publisher \(publisher.name)",
          expected: publisher.signatureWords, cause: error, hint: "make it: signet release SPEC --key KEY")
      }
      let stated = ModuleRelease.File(
        name: ProvenancePredicate.place(beside: stated.name), length: statement.size, sha256: try statement.sha256())
      return (stated, statement, source)
    }
    let ofModule = try provenance(of: module.file, module.stated, at: module.file.path)
    let ofSource = try provenance(of: file, archive, at: path)
    guard ofModule.source == ofSource.source else {
      throw SignetError(
        .repoOtherCommit, module.file.path, "was built from another commit than its sources",
        expected: ofSource.source.words, found: ofModule.source.words,
        hint: "build both from one commit: signet release SPEC --key KEY")
    }
    stated = ModuleRelease.Source(
      archive: archive, provenance: ofSource.stated, moduleProvenance: ofModule.stated, commit: ofSource.source.commit
    )
    files = [(ofModule.stated, ofModule.file), (ofSource.stated, ofSource.file), (archive, file)]
    try file.checkUnchanged()
  }

  private static func provenance(beside path: String) throws(SignetError) -> RegularFile {
    let place = ProvenancePredicate.place(beside: path)
    do throws(SignetError) { return try RegularFile(opening: place) } catch  where error.code == .fileMissing {
      throw SignetError(
        .repoNoProvenance, place, "is missing", expected: "the provenance of \(path)", cause: error,
        hint: "make module, sources and provenance: signet release SPEC --key KEY")
    }
  }
}

/// The files of a release that is pushed.
public struct FilesToPush: Sendable {
  /// The path of the module's archive.
  public let archive: String
  /// The path of the source archive; nil if the release has none.
  public let source: String?

  /// What the release is, for people; nil if nothing is said.
  public let about: ReleaseAbout?

  /// Names the files.
  ///
  /// - Parameter about: what the spec says of the release. Nothing checks it.
  public init(archive: String, source: String? = nil, about: ReleaseAbout? = nil) {
    self.archive = archive
    self.source = source
    self.about = about
  }
}
