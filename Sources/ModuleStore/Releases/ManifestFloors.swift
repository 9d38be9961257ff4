public import Signet
public import SignetBase
internal import SignetCrypto

// The least sequence of a host's manifest: that of the highest that was used.
extension ModuleStore {
  /// The floor of a host's manifest that holds under the policy; nil where there is none.
  ///
  /// - Throws: what reading the state throws.
  public func manifestFloor(of host: ModuleIdentifier) throws(SignetError) -> Floor? {
    floor(of: host, try state())
  }

  private func floor(of host: ModuleIdentifier, _ state: StoreState) -> Floor? {
    state.manifests[host].flatMap { $0.isDropped(by: policy) ? nil : $0 }
  }

  /// Raises the floor to a manifest that is used.
  ///
  /// - Throws: `store.bounds`, `store.write-failed`, `store.not-synced`, `store.locked`.
  public func raiseManifestFloor(after manifest: VerifiedHostManifest) throws(SignetError) {
    func isRaised(_ state: StoreState) -> Bool {
      floor(of: manifest.identifier, state).map { $0.sequence >= manifest.sequence } ?? false
    }
    guard try !isRaised(state()) else { return }
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    // Another host may have used a later one meanwhile.
    guard !isRaised(change.state) else { return }
    guard
      change.state.manifests[manifest.identifier] != nil || change.state.manifests.count < StoreState.manifestLimit
    else {
      throw SignetError(
        .storeBounds, path, "has manifests of too many hosts", expected: "at most \(StoreState.manifestLimit)")
    }
    change.state.manifests[manifest.identifier] = Floor(
      sequence: manifest.sequence, since: change.now, signatures: manifest.signatures)
    change.state.see(clock.now())
    try change.commit()
  }
}
