/// What a transparency log says of a signature (`sigstore_rekor.proto`). Other people's bundles carry it; Signet keeps
/// it and says that it was not checked.
public struct TransparencyLogEntry: Hashable, Sendable {
  /// The entry's place in the log.
  public let logIndex: Int64
  /// The log's key ID.
  public let logID: [UInt8]
  /// The kind of entry, and its version.
  public let kind: String
  /// The version of the kind.
  public let kindVersion: String
  /// When the log says it took the entry, in seconds since 1970.
  public let integratedTime: Int64
  /// The log's promise to include the entry: a signature.
  public let inclusionPromise: [UInt8]?
  /// The proof that it did.
  public let inclusionProof: InclusionProof?
  /// The entry as the log keeps it.
  public let canonicalizedBody: [UInt8]

  /// The path from the entry to a signed tree head.
  public struct InclusionProof: Hashable, Sendable {
    /// The entry's place in the tree.
    public let logIndex: Int64
    /// The tree's root.
    public let rootHash: [UInt8]
    /// How many entries the tree has.
    public let treeSize: Int64
    /// The hashes from leaf to root.
    public let hashes: [[UInt8]]
    /// The signed tree head.
    public let checkpoint: String?
  }
}
