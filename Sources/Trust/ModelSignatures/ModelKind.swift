internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
package import SignetVerify

/// A model: a folder, or a file, about whose files OpenSSF Model Signing has made a statement.
struct ModelKind: ArtifactKind, ProvableKind {
  let name: String
  private let namedRole: ArtifactRole
  private let signature: [UInt8]?
  private let followsLinks: Bool

  /// - Parameters:
  ///   - signature: the path in the model of the file with the signature.
  ///   - followsLinks: whether links count as the files that they lead to.
  init(named name: String, as role: ArtifactRole, signature: String?, followsLinks: Bool) {
    self.name = name
    self.signature = signature.map { Array($0.utf8) }
    self.followsLinks = followsLinks
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
    let comparison = ModelComparison(manifest: manifest, signature: signature, followsLinks: followsLinks)
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
    _ = try check.note(count + Self.told(found.ignored)) { (_) throws(SignetError) in
      (DirectoryDifferences(found.differences), false)
    }
    check.passRevocation()
  }

  /// So many paths are told that nothing verifies.
  private static let toldLimit = 20

  private static func told(_ ignored: [String]) -> String {
    guard !ignored.isEmpty else { return "" }
    let more = ignored.count > toldLimit ? " and \(ignored.count - toldLimit) more" : ""
    return "; nothing verifies \(ignored.prefix(toldLimit).map(\.display).joined(separator: ", "))\(more)"
  }

  func prove(_ evidence: Evidence) -> VerifiedModel { VerifiedModel(evidence) }
}

extension Verifier.Expectation where Proof == VerifiedModel {
  /// Expects a model about whose files OpenSSF Model Signing has made a statement, whatever that calls it.
  ///
  /// - Parameters:
  ///   - name: what messages call the model.
  ///   - role: the role that the caller gives it. The policy says which signers are trusted for it.
  ///   - signature: the path in the model of the file with its signature, which no statement can name; nil if that is
  ///     elsewhere.
  ///   - followsLinks: whether links count as the files that they lead to, also where the signer has signed files.
  public static func model(
    named name: String, as role: ArtifactRole = .unnamed, signature: String? = nil, followsLinks: Bool = false
  ) -> Self {
    Self(ModelKind(named: name, as: role, signature: signature, followsLinks: followsLinks))
  }
}

/// The proof that a trusted signer has signed exactly these files as a model.
///
/// Only a `Verifier` makes one. Files that the format leaves out, such as those in `.git`, are not looked at: the step
/// `Check.Step.contents` names them.
public struct VerifiedModel: VerificationProof {
  /// The evidence that the proof rests on.
  public let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }
}
