internal import SignetBase
internal import SignetCrypto

/// What an artifact is expected to be: one kind, or one of several if its statement says which.
///
/// The engine (``Verifier``, ``Verification``, ``BundleExamination``) knows no kinds. It finds the bundles and their
/// signers, and decides whether they are enough. It asks the kind for everything else. A new kind is a new file in
/// this folder.
package protocol ExpectedKind: Sendable {
  /// What messages call the artifact, and what statements call it, except those about modules.
  var name: String { get }
  /// What statements may call the artifact, the most telling name first. A statement of another program may have
  /// several subjects, and is compared as one about the subject with such a name. Without any name, it is compared as
  /// one about the subject with the artifact's digest.
  var subjectNames: [String] { get }
  /// The types that the statement may have: one, or several if the statement says what the artifact is.
  var predicateTypes: [PredicateType] { get }
  /// The artifact's role before a statement was read; nil if only the statement gives it.
  var knownRole: ArtifactRole? { get }
  /// The steps for each bundle, in order.
  var steps: [Check.Step] { get }
  /// Whether the policy can demand a verification summary.
  var isSummarized: Bool { get }
  /// Whether a signature of bytes alone can be enough, where the policy accepts one: it says nothing of name or kind.
  var canBeMessage: Bool { get }
  /// Whether the statements may be of several types, each of which says something else about the same bytes.
  var hasSeveralTypes: Bool { get }

  /// Looks at the artifact before anything is verified: whether it can be of this kind, and where its signatures are.
  ///
  /// - Throws: the reason why it cannot be of this kind, and what reading throws.
  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact

  /// The kind that a statement gives the artifact.
  func kind(by statement: Statement) -> any ArtifactKind
}

extension ExpectedKind {
  /// Whether a statement is about something else than what is asked for, and neither counts nor refuses: what an identity has
  /// stated in another program, and where that is asked for, any other statement.
  func skips(_ statement: Statement, by signer: FoundSigner) -> Bool {
    let isOther = statement.predicateType != .message && !predicateTypes.contains(statement.predicateType)
    return isOther && !predicateTypes.isEmpty && (signer.identity != nil || predicateTypes.allSatisfy { !$0.isOwn })
  }

  package var subjectNames: [String] { [name] }
  package var isSummarized: Bool { true }
  package var hasSeveralTypes: Bool { false }
  package var canBeMessage: Bool { false }
}

/// A kind of artifact: what it must be, what is checked of it, and in which order.
///
/// Every step of a kind gets an outcome. A step without one refuses the artifact.
package protocol ArtifactKind: ExpectedKind {
  /// The artifact's role according to its statement.
  ///
  /// Nil if the statement is about something else. ``compare(_:_:)`` then has refused it.
  func role(by statement: Statement) -> ArtifactRole?

  /// Compares a statement with what is known without reading the artifact's content.
  ///
  /// It makes every comparison, so that all reasons are reported together.
  func compare(_ statement: Statement, _ check: inout StatementCheck)

  /// Compares the artifact's content with a statement in which no fault was found.
  ///
  /// - Throws: if the outcome could not be determined.
  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError)
}

extension ArtifactKind {
  package func kind(by statement: Statement) -> any ArtifactKind { self }
}

/// A kind that gives a proof if the artifact is as expected.
package protocol ProvableKind<Proof>: ExpectedKind {
  associatedtype Proof: VerificationProof

  /// Makes the proof.
  func prove(_ evidence: Evidence) throws(SignetError) -> Proof
}

/// An artifact after its kind's first look. Nothing about it is trusted yet.
package struct LookedAtArtifact {
  /// The kind that the artifact looks like.
  package let kind: any ExpectedKind
  /// The archive, if the artifact is or may be one.
  package var archive: (any SignedContent)?
  /// Why the artifact cannot be read as an archive, if it could have been one.
  package var archiveFailure: SignetError?
  /// The digests of the file that the artifact comes from, if they were computed earlier.
  package var fileDigests: FileDigests?

  /// A file whose bytes mean nothing to its kind.
  ///
  /// - Throws: `file.is-directory`.
  package init(file artifact: Artifact, as kind: any ExpectedKind) throws(SignetError) {
    try artifact.checkKind(isDirectory: false)
    self.kind = kind
  }

  /// A directory.
  ///
  /// - Throws: `file.not-directory`.
  package init(directory artifact: Artifact, as kind: any ExpectedKind) throws(SignetError) {
    try artifact.checkKind(isDirectory: true)
    self.kind = kind
  }

  /// An archive.
  package init(_ archive: any SignedContent, as kind: any ExpectedKind) {
    self.kind = kind
    self.archive = archive
  }
}
