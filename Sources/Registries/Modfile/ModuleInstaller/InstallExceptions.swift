internal import ModuleResolver
public import Signet
internal import SignetCrypto

/// The releases that an installation takes although it would refuse them, or leave them out.
public struct InstallExceptions: Sendable {
  /// The releases that somebody has named, which may be signed with less than the ones before them.
  public var less: [NamedRelease]
  /// The releases that somebody has named, which may be younger than the minimum age.
  public var new: [NamedRelease]
  /// Statements by those who have signed the releases before. Each is verified where it is used.
  public var waivers: [ContinuityWaiver]

  /// None, unless some are given.
  public init(less: [NamedRelease] = [], new: [NamedRelease] = [], waivers: [ContinuityWaiver] = []) {
    (self.less, self.new, self.waivers) = (less, new, waivers)
  }
}

extension LockedModule.Served {
  /// What a registry says that a release was signed with; nil for one that a spec describes.
  func record() -> SigningRecord? {
    guard let digests else { return nil }
    // One that is still to be held has the signers of an earlier release, and what that one had besides.
    let hasProvenance = standing.isUnheld ? standing == .unheldWithSources : digests.source != nil
    return SigningRecord(signers: Self.records(of: signers), attestations: hasProvenance ? ["provenance"] : [])
  }

  /// Signers as releases are held to them.
  static func records(of signers: [ReleaseSigner]) -> [RecordedSigner] {
    signers.map { signer in
      switch signer {
      case .key(let id): return RecordedSigner(key: "\(id)", kind: .key)
      case .identity(let name):
        // A workflow runs for another ref each time.
        let holder = name.firstRange(of: "@refs/").map { String(name[..<$0.lowerBound]) } ?? name
        return RecordedSigner(key: holder, names: [holder], kind: .identity)
      }
    }
  }
}
