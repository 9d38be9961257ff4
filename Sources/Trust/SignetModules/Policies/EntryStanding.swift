public import SignetBase
public import SignetVerify

/// Whether an entry of a policy counts for an artifact, and why not.
public struct EntryStanding: Sendable {
  /// The entry of the policy.
  public let entry: TrustEntry
  /// Why the entry does not count; nil if it does.
  public let objection: SignetError?

  package init(entry: TrustEntry, objection: SignetError?) { (self.entry, self.objection) = (entry, objection) }
}

extension TrustPolicy {
  /// Says for each entry whether it counts for an artifact with this role at this time, whatever signatures there
  /// are.
  public func standings(for role: ArtifactRole, at time: UnixTime) -> [EntryStanding] {
    PolicyInForce(self, at: time, role: role, revocations: Revocations(of: self)).entries.map { entry in
      EntryStanding(entry: entry.entry, objection: entry.objection(entry.entry.name, time, role))
    }
  }
}
