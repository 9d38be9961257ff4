internal import SignetArchive
internal import SignetBase
internal import SignetCrypto

/// What an artifact is expected to be: a kind of artifact, or one of several where its statement says which.
///
/// The engine (``Verifier``, ``Verification``, ``BundleExamination``) knows no kind. It finds the bundles, who has signed
/// them, and whether they are enough; everything else it asks of the kind. A new kind is a new file in this folder.
protocol ExpectedKind: Sendable {
  /// What messages and, but for modules, statements call the artifact.
  var name: String { get }
  /// The types that the statement may have: one, or several where the statement says what the artifact is.
  var predicateTypes: [PredicateType] { get }
  /// What the artifact is taken for before any statement was read; nil where only the statement says that.
  var knownRole: ArtifactRole? { get }
  /// The steps that are taken with each bundle, in order.
  var steps: [Check.Step] { get }

  /// Looks at the artifact before anything is verified: whether it can be of this kind, and where its signatures are.
  ///
  /// - Throws: why it cannot be of this kind, and what reading throws.
  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact

  /// The kind that a statement says the artifact is of.
  func kind(by statement: Statement) -> any ArtifactKind
}

/// A kind of artifact: what it must be, and what is checked of it in which order.
///
/// Each of its steps gets an outcome: what none was noted of refuses the artifact.
protocol ArtifactKind: ExpectedKind {
  /// What the artifact is taken for once its statement was read; nil where the statement is about something else, which
  /// ``compare(_:_:)`` then has refused.
  func role(by statement: Statement) -> ArtifactRole?

  /// Holds a statement against what is known without reading the artifact's content. All of it is looked at, so that all
  /// reasons come at once.
  func compare(_ statement: Statement, _ check: inout StatementCheck)

  /// Holds the artifact's content against a statement with which nothing was wrong.
  ///
  /// - Throws: when it could not be found out.
  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError)
}

extension ArtifactKind {
  func kind(by statement: Statement) -> any ArtifactKind { self }
}

/// What gives a proof when the artifact is as expected.
protocol ProvableKind<Proof>: ExpectedKind {
  associatedtype Proof: VerificationProof

  /// Makes the proof.
  func prove(_ evidence: Evidence) throws(SignetError) -> Proof
}

/// An artifact at which its kind has had a first look. Nothing of it is believed.
struct LookedAtArtifact {
  /// What the artifact can be by its looks.
  let kind: any ExpectedKind
  /// The archive, where it is or may be one.
  var archive: ArchiveFile?
  /// Why there is no archive, where there could have been one.
  var archiveFailure: SignetError?
  /// The digests of the file that the artifact comes from, where they were computed before.
  var fileDigests: FileDigests?

  /// A file whose bytes mean nothing to its kind.
  ///
  /// - Throws: `file.is-directory`.
  init(file artifact: Artifact, as kind: any ExpectedKind) throws(SignetError) {
    try artifact.checkKind(isDirectory: false)
    self.kind = kind
  }

  /// A directory.
  ///
  /// - Throws: `file.not-directory`.
  init(directory artifact: Artifact, as kind: any ExpectedKind) throws(SignetError) {
    try artifact.checkKind(isDirectory: true)
    self.kind = kind
  }

  /// An archive.
  init(_ archive: ArchiveFile, as kind: any ExpectedKind) {
    self.kind = kind
    self.archive = archive
  }
}
