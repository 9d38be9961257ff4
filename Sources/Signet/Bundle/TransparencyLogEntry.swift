/// What a transparency log says of a signature (`sigstore_rekor.proto`). Other people's bundles carry it; Signet keeps
/// it and says that it was not checked.
package struct TransparencyLogEntry: Hashable, Sendable {
  /// The entry's place in the log.
  package let logIndex: Int64
  /// The log's key ID.
  package let logID: [UInt8]
  /// The kind of entry, and its version.
  package let kind: String
  /// The version of the kind.
  package let kindVersion: String
  /// When the log says it took the entry, in seconds since 1970.
  package let integratedTime: Int64
  /// The log's promise to include the entry: a signature.
  package let inclusionPromise: [UInt8]?
  /// The proof that it did.
  package let inclusionProof: InclusionProof?
  /// The entry as the log keeps it.
  package let canonicalizedBody: [UInt8]

  /// The path from the entry to a signed tree head.
  package struct InclusionProof: Hashable, Sendable {
    /// The entry's place in the tree.
    package let logIndex: Int64
    /// The tree's root.
    package let rootHash: [UInt8]
    /// How many entries the tree has.
    package let treeSize: Int64
    /// The hashes from leaf to root.
    package let hashes: [[UInt8]]
    /// The signed tree head.
    package let checkpoint: String?
  }
}
