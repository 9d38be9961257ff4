internal import SignetArchive
internal import SignetBase

/// A file or the archive of a module: the statement says which.
///
/// What is a module by its looks is nothing else, and what is no archive is a file. In between, nothing is asked of the
/// archive that a file would not have to be.
struct FileOrModuleKind: ProvableKind {
  private let file: FileKind
  private let module: ModuleKind

  init(_ file: FileKind, _ module: ModuleKind) {
    self.file = file
    self.module = module
  }

  var name: String { file.name }
  var steps: [Check.Step] { file.steps }
  var predicateTypes: [PredicateType] { file.predicateTypes + module.predicateTypes }
  var knownRole: ArtifactRole? { nil }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    switch try UnverifiedLook(at: artifact.source(), limits) {
    case .file: return try file.look(at: artifact, limits)
    case .module(let archive): return LookedAtArtifact(archive, as: module)
    case .damagedModule(let failure): throw failure
    case .archive(let archive): return LookedAtArtifact(archive, as: self)
    case .damagedArchive(let failure):
      var looked = try LookedAtArtifact(file: artifact, as: self)
      looked.archiveFailure = failure
      return looked
    }
  }

  func kind(by statement: Statement) -> any ArtifactKind { statement.module == nil ? file : module }

  func prove(_ evidence: Evidence) throws(SignetError) -> VerifiedFileOrModule { try VerifiedFileOrModule(evidence) }
}

extension Verifier.Expectation where Proof == VerifiedFileOrModule {
  /// A file or a module's archive: the statement says which, once its signature was found to be by somebody trusted, and
  /// all that count have to say the same.
  ///
  /// What is a module by its looks is nothing else: a ZIP with a signing block, or that lists a `module.json`. What is
  /// no archive is a file.
  ///
  /// - Parameters:
  ///   - name: what the statement must call a file; what to call an archive in messages.
  ///   - role: what the caller takes the artifact for. Where it names a module, an archive must be that one.
  public static func fileOrModule(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(
      FileOrModuleKind(
        FileKind(named: name, as: role), ModuleKind(role.module, at: role.uri, leastSequence: 1, named: name)))
  }
}

/// The proof that somebody the policy trusts has signed exactly these bytes, as a file or as a module; which of them the
/// signed statement says. Only ``Verifier`` makes one.
public enum VerifiedFileOrModule: VerificationProof {
  /// It was signed as a file.
  case file(VerifiedArtifact)
  /// It was signed as a module.
  case module(VerifiedModule)

  /// What it rests on.
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
