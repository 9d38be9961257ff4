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

  /// What is checked, in the order in which it is checked and told. A chain can only be judged at times that are proven.
  package enum Step: String, Sendable, CaseIterable {
    /// The bundle has the form of one, and the kind of signer that is expected.
    case form
    /// Authorities have stated times: all that the bundle has.
    case timestamps
    /// Each entry of a log is about this signature, this signer, and what is signed.
    case logEntry = "log-entry"
    /// The promises of logs to include the entries, which state their times.
    case logPromise = "log-promise"
    /// Each entry is in a tree that its log has signed.
    case logInclusion = "log-inclusion"
    /// The signer's certificate, at each proven time.
    case chain
    /// The promises of logs to include the signer's certificate.
    case certificateLog = "certificate-log"
    case signature, identity, subject
  }

  package enum Outcome: Sendable {
    /// It holds, with what was found.
    case passed(String)
    /// It was not demanded, and is not established.
    case notDemanded
  }

  /// What was found of the steps so far.
  struct Steps {
    private(set) var checks: [Check] = []

    mutating func pass(_ step: Step, _ found: String) { checks.append(Check(step: step, outcome: .passed(found))) }

    /// Notes of how many logs something was found. A step that finds nothing and demands nothing establishes nothing.
    mutating func count(_ step: Step, _ found: Int, of demanded: Int) {
      let outcome: Outcome =
        found == 0 && demanded == 0 ? .notDemanded : .passed("\(found) \(found == 1 ? "log" : "logs")")
      checks.append(Check(step: step, outcome: outcome))
    }

    /// The step at which a verification ends that goes no further.
    var next: Step { Step.allCases.first { step in !checks.contains { $0.step == step } } ?? .subject }
  }
}
