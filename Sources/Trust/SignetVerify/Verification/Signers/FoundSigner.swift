internal import SignetBase
internal import SignetCrypto

/// What a search for signers finds.
enum SignerFinding {
  /// Trusted signers have made the signature.
  case found(FoundSigner)
  /// No signer that is trusted for the artifact has made the signature.
  case stranger([SignetError])
  /// The bundle claims a trusted signer that has not made the signature.
  case forged(SignetError)
  /// The bundle claims a trusted signer, and what others vouch for it does not hold.
  case broken(SignetError, [(step: Check.Step, outcome: Check.Outcome)])
}

/// The maker of a signature, and the signers of the policy that it may count as.
struct FoundSigner {
  let key: PublicKey
  var units: [SignerUnit]
  let path: CertificatePath?
  /// Who has signed, where others vouch for it.
  var identity: ProvenIdentity?
  /// What was checked of that.
  var checks: [(step: Check.Step, outcome: Check.Outcome)] = []
}

/// A signer as a policy counts signers: an entry, or one of an authority's names.
struct SignerUnit: Hashable {
  let entry: Int
  let identity: Int?
}
