internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
package import SignetVerify

/// A model: a folder, or a file, about whose files OpenSSF Model Signing has made a statement.
struct ModelKind: ArtifactKind, ProvableKind {
  let name: String
  private let namedRole: ArtifactRole
  private let signatures: [FileStatus.Identity]

  init(named name: String, as role: ArtifactRole, _ signatures: [FileStatus.Identity]) {
    self.name = name
    self.signatures = signatures
    namedRole = role.named(name)
  }

  // What statements call a model is for people alone (section 6.5).
  var subjectNames: [String] { [] }
  var predicateTypes: [PredicateType] { [ModelManifest.type] }
  var knownRole: ArtifactRole? { namedRole }
  var isSummarized: Bool { false }

  let steps: [Check.Step] = [
    .bundle, .signer, .signature, .transparencyLog, .timestamps, .statement, .predicateType, .contents, .revocation,
  ]

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    artifact.directory == nil
      ? try LookedAtArtifact(file: artifact, as: self) : try LookedAtArtifact(directory: artifact, as: self)
  }

  func role(by statement: Statement) -> ArtifactRole? { namedRole }

  func compare(_ statement: Statement, _ check: inout StatementCheck) {
    check.noteType(of: statement, ModelManifest.type)
    if statement.predicateType != ModelManifest.type { check.skipContent() }
    check.noteRevocation(of: statement, withoutSequenceAs: namedRole)
  }

  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    guard statement.predicateType == ModelManifest.type else { return check.refuse(statement, ModelManifest.type) }
    let manifest: ModelManifest
    do throws(SignetError) { manifest = try ModelManifest(statement) } catch {
      return check.findings.fail(.contents, error.about("\(check.findings.label): \(error.object)"))
    }
    let comparison = ModelComparison(manifest: manifest, signatures: signatures)
    let artifact = check.artifact.artifact
    var found: (differences: [DirectoryDifference], ignored: [String]) = ([], [])
    do throws(SignetError) {
      if let directory = artifact.directory {
        found = try comparison.compare(directory)
      } else {
        found.differences = try comparison.compare(single: artifact.source())
      }
    } catch  where error.code == .directoryEntryCount || error.code == .pathBounds {
      return check.findings.fail(.contents, error)
    }
    let count = manifest.files.count == 1 ? "1 file" : "\(manifest.files.count) files"
    let ignored = found.ignored.isEmpty ? "" : "; not looked at: \(found.ignored.joined(separator: ", "))"
    _ = try check.note(count + ignored) { (_) throws(SignetError) in (DirectoryDifferences(found.differences), false)
    }
    check.passRevocation()
  }

  func prove(_ evidence: Evidence) -> VerifiedModel { VerifiedModel(evidence) }
}

extension Verifier.Expectation where Proof == VerifiedModel {
  /// Expects a model about whose files OpenSSF Model Signing has made a statement, whatever that calls it.
  ///
  /// - Parameters:
  ///   - name: what messages call the model.
  ///   - role: the role that the caller gives it. The policy says which signers are trusted for it.
  ///   - signature: the path of the file with the signature, which no statement can name; nil if it is not in the model.
  public static func model(named name: String, as role: ArtifactRole = .unnamed, signature: String? = nil) -> Self {
    Self(ModelKind(named: name, as: role, FileStatus.identities(of: [signature].compactMap(\.self))))
  }
}

/// The proof that a trusted signer has signed exactly these files as a model.
///
/// Only ``Verifier`` makes one. Files that the format leaves out, such as those in `.git`, were not looked at: the step
/// ``Check/Step/contents`` names them.
public struct VerifiedModel: VerificationProof {
  /// The evidence that the proof rests on.
  public let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }
}
