package import SignetBase
package import SignetCrypto

/// Who has signed an artifact, and what proves it; only a ``KeylessVerifier`` makes one.
package struct KeylessProof: Sendable {
  /// The identity of the signer; nil for a key.
  package let identity: CertifiedIdentity?
  /// The key that has signed.
  package let key: PublicKey
  /// The times that were proven, earliest first. None for a key whose entry has no promise.
  package let times: [UnixTime]
  /// The signed statement; nil where a file itself is signed.
  package let statement: [UInt8]?
  /// What was checked, in order.
  package let checks: [Check]

  /// One check that has passed, or that nobody demanded.
  package struct Check: Sendable {
    package let step: Step
    package let outcome: Outcome
  }

  /// What is checked, in the order in which it is told.
  package enum Step: String, Sendable, CaseIterable {
    case form, timestamps, entries, chain
    case certificateLog = "certificate-log"
    case signature, identity, subject
  }

  package enum Outcome: Sendable {
    /// It holds, with what was found.
    case passed(String)
    /// It was not demanded, and is not established.
    case notDemanded
  }
}
