public import SignetBase
internal import SignetCrypto

/// Whether an entry of a policy may speak for an artifact, and why not.
public struct EntryStanding: Sendable {
  /// The entry.
  public let entry: TrustEntry
  /// Why it may not; nil when it may.
  public let objection: SignetError?
}

extension TrustPolicy {
  /// What each entry may say about an artifact that is taken for something, whoever has signed it.
  public func standings(for role: ArtifactRole, at time: UnixTime) -> [EntryStanding] {
    PolicyInForce(self, time, role).entries.map { entry in
      EntryStanding(entry: entry.entry, objection: entry.objection(entry.entry.name, time, role))
    }
  }
}
