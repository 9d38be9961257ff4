internal import ModuleResolver
public import Signet
internal import SignetCrypto

/// What lets releases of a Modfile have less than the ones before them.
public struct ContinuityOfModfile: Sendable {
  /// The releases that somebody has named, which may have less.
  public var named: [NamedRelease]
  /// The releases that somebody has named, which may be younger than the minimum age.
  public var new: [NamedRelease] = []
  /// The Modfile's minimum age; nil for none. The policy may have a longer one.
  public var minimumAge: MinimumAge?
  /// Statements by those who have signed the releases before. Each is verified where it is used.
  public var waivers: [ContinuityWaiver]

  /// Nothing, unless something is given.
  public init(named: [NamedRelease] = [], waivers: [ContinuityWaiver] = []) {
    (self.named, self.waivers) = (named, waivers)
  }
}

extension LockedModule.Served {
  /// What a registry says that a release was signed with; nil for one that a spec describes.
  ///
  /// Of the signers, only those are expected again whom the policy trusts: the lock has all, by what the registry says.
  func record(under policy: TrustPolicy) -> SigningRecord? {
    guard let digests else { return nil }
    let records = signers.map { signer in
      switch signer {
      case .key(let id):
        let entries = policy.entries.filter { $0.keys.contains { $0.id == id } }
        return SigningRecord.Signer(
          identity: "\(id)", key: "\(id)", kind: .key, entries: entries.map(\.name))
      case .identity(let name):
        let entries = policy.entries.filter { if case .vouched = $0.anchor.kind { true } else { false } }
        // A workflow runs for another ref each time.
        let holder = name.firstRange(of: "@refs/").map { String(name[..<$0.lowerBound]) } ?? name
        return SigningRecord.Signer(identity: holder, key: holder, kind: .identity, entries: entries.map(\.name))
      }
    }
    return SigningRecord(signers: records, attestations: digests.source == nil ? [] : ["provenance"])
  }
}
