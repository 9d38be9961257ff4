public import SignetBase

extension GateReport {
  /// Who has signed an artifact.
  public struct Signer: Sendable {
    /// The policy's names for the signer; empty if it has none.
    public let entries: [String]
    /// The key's ID.
    public let keyID: String
    /// The key's algorithm.
    public let algorithm: String
    /// When the artifact was signed, by the signer's own claim.
    public let signedAt: UnixTime?
    /// The certificates from the signer's to the trusted one; empty for a bare key.
    public let chain: [ChainLink]

    /// Creates a signer.
    package init(entries: [String], keyID: String, algorithm: String, signedAt: UnixTime?, chain: [ChainLink]) {
      self.entries = entries
      self.keyID = keyID
      self.algorithm = algorithm
      self.signedAt = signedAt
      self.chain = chain
    }
  }

  /// A certificate of a chain.
  public struct ChainLink: Sendable {
    /// The subject, as RFC 4514 writes it.
    public let subject: String
    /// The first identity in the certificate; nil if it has none.
    public let identity: String?
    /// The end of its validity.
    public let notAfter: UnixTime

    /// The name of the holder, for people: the identity of a certificate without a subject.
    package var name: String { subject.isEmpty ? identity ?? "a holder without a name" : subject }

    /// Creates a link.
    package init(subject: String, identity: String?, notAfter: UnixTime) {
      self.subject = subject
      self.identity = identity
      self.notAfter = notAfter
    }
  }
}
