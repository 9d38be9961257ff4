/// What must prove a signature, besides the certificate of its signer.
///
/// What a bundle has beyond this must hold all the same: one proof that does not hold refuses the bundle.
package struct KeylessDemands: Sendable, Hashable {
  /// In how many logs the signature must be, each with a proof and a signed checkpoint.
  package let entries: Int
  /// How many authorities must have stated a time.
  package let timestamps: Int
  /// How many logs must have promised to include the certificate.
  package let promises: Int

  package init(entries: Int, timestamps: Int, promises: Int) {
    (self.entries, self.timestamps, self.promises) = (entries, timestamps, promises)
  }

  /// What the public-good instance gives: an entry in a log, and a promise about the certificate.
  package static let publicGood = KeylessDemands(entries: 1, timestamps: 0, promises: 1)
  /// What GitHub's own instance gives, which has no log: one timestamp.
  package static let github = KeylessDemands(entries: 0, timestamps: 1, promises: 0)
  /// A key whose signature is in a log.
  package static let keyAndLog = KeylessDemands(entries: 1, timestamps: 0, promises: 0)

  /// A key alone. What a bundle has of logs and timestamps must hold all the same.
  package static let key = KeylessDemands(entries: 0, timestamps: 0, promises: 0)

  /// The demands that have names.
  static let presets: [(name: String, demands: KeylessDemands)] = [
    ("public-good", publicGood), ("github", github), ("key-and-log", keyAndLog), ("key", key),
  ]
}
