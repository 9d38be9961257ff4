internal import SignetArchive
internal import SignetBase
public import SignetVerify

/// A file, or a module's archive: the statement says which.
///
/// A file with a signing block can only be a module, and what is not an archive is a file. A ZIP that describes a module
/// of Signet is no file, whatever its statement says. Any other archive has to meet only a file's requirements.
struct FileOrModuleKind: ProvableKind {
  private let file: FileKind
  private let module: ModuleArchiveKind
  /// Whether a ZIP is refused as a file if it describes a module of Signet: it would have no sequence and no floor.
  private var refusesModules = false

  init(_ file: FileKind, _ module: ModuleArchiveKind) {
    self.file = file
    self.module = module
  }

  package var name: String { file.name }
  var steps: [Check.Step] { file.steps }
  var predicateTypes: [PredicateType] { file.predicateTypes + module.predicateTypes }
  var knownRole: ArtifactRole? { nil }
  var canBeMessage: Bool { !refusesModules }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    switch try UnverifiedLook(at: artifact.source(), limits) {
    case .file: return try file.look(at: artifact, limits)
    case .module(let archive): return LookedAtArtifact(ArchiveContent(archive), as: module)
    case .damagedModule(let failure): throw failure
    case .described(let archive): return LookedAtArtifact(ArchiveContent(archive), as: refusingModules)
    case .archive(let archive): return LookedAtArtifact(ArchiveContent(archive), as: self)
    case .damagedDescribed(let failure): return try damaged(artifact, failure, as: refusingModules)
    case .damagedArchive(let failure): return try damaged(artifact, failure, as: self)
    }
  }

  private func damaged(
    _ artifact: Artifact, _ failure: SignetError, as kind: Self
  ) throws(SignetError) -> LookedAtArtifact {
    var looked = try LookedAtArtifact(file: artifact, as: kind)
    looked.archiveFailure = failure
    return looked
  }

  private var refusingModules: Self {
    var kind = self
    kind.refusesModules = true
    return kind
  }

  func kind(by statement: Statement) -> any ArtifactKind {
    guard statement.module == nil else { return module }
    // Bytes that are signed alone must not be a module's: it would have no sequence and no floor.
    if refusesModules || statement.predicateType == .message {
      return FileThatIsNoModule(file: file.kind(by: statement), named: file)
    }
    return file
  }

  func prove(_ evidence: Evidence) throws(SignetError) -> VerifiedFileOrModule { try VerifiedFileOrModule(evidence) }
}

/// A ZIP with a `module.json`, signed as a file. It is none if it describes a module of Signet.
private struct FileThatIsNoModule: ArtifactKind {
  let file: any ArtifactKind
  let named: FileKind

  package var name: String { named.name }
  var predicateTypes: [PredicateType] { file.predicateTypes }
  var knownRole: ArtifactRole? { file.knownRole }
  var steps: [Check.Step] { file.steps }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    try file.look(at: artifact, limits)
  }

  func role(by statement: Statement) -> ArtifactRole? { file.role(by: statement) }

  func compare(_ statement: Statement, _ check: inout StatementCheck) { file.compare(statement, &check) }

  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    try file.compareContent(statement, &check)
    guard check.findings.isGood, try ForeignDescription.isOfSignet(in: check.artifact.artifact.source()) else {
      return
    }
    check.refuseModule(statement)
  }
}

extension Verifier.Expectation where Proof == VerifiedFileOrModule {
  /// Expects a file or a module's archive, as the statement says.
  ///
  /// The statement is consulted once its signature was verified as a trusted signer's. All statements that count must
  /// agree.
  ///
  /// A ZIP with a signing block can only be a module, and so can one whose `module.json` describes a module of Signet. What
  /// is not an archive is a file.
  ///
  /// - Parameters:
  ///   - name: what the statement must call a file, and what messages call an archive.
  ///   - role: the role that the caller gives the artifact. If it names a module, an archive must be that module.
  public static func fileOrModule(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(
      FileOrModuleKind(
        FileKind(named: name, as: role), ModuleArchiveKind(role.module, at: role.uri, leastSequence: 1, named: name)))
  }
}

/// The proof that a trusted signer has signed exactly these bytes, as a file or as a module.
///
/// The signed statement says which of them it is. Only `Verifier` makes one.
public enum VerifiedFileOrModule: VerificationProof {
  /// The artifact was signed as a file.
  case file(VerifiedArtifact)
  /// The artifact was signed as a module.
  case module(VerifiedModule)

  /// The evidence that the proof rests on.
  public var evidence: Evidence {
    switch self {
    case .file(let file): file.evidence
    case .module(let module): module.evidence
    }
  }

  init(_ evidence: Evidence) throws(SignetError) {
    guard evidence.signatures.contains(where: { $0.statement.module != nil }) else {
      self = .file(VerifiedArtifact(evidence))
      return
    }
    self = .module(try VerifiedModule(evidence))
  }
}

extension ContentCheck {
  /// Refuses a statement about a file, because the file describes a module of Signet.
  fileprivate mutating func refuseModule(_ statement: Statement) {
    findings.fail(
      .predicateType,
      SignetError(
        .statementPredicateType, findings.label, "is about a file, and the ZIP describes a module of Signet",
        expected: PredicateType.module.uri, found: statement.predicateType.uri,
        hint: "ask the publisher for a signature as a module; if a file is meant, say so: --as file"))
  }
}
