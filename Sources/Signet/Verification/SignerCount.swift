internal import SignetCrypto

/// How many of those a policy trusts have signed one payload: each of them counts once, and each key counts once.
///
/// A key may belong to several entries, and an entry may be reached by several keys, so the most that can be counted is
/// a maximum matching of keys and signers. Augmenting paths (Kuhn's algorithm): 16 bundles at most leave nothing to
/// gain by a quicker one.
struct SignerCount {
  /// For each key, as whom it may count.
  private let choices: [[SignerUnit]]

  init(_ signatures: [CountedSignature]) {
    var keys: [PublicKey] = []
    var choices: [Set<SignerUnit>] = []
    for signature in signatures {
      if let index = keys.firstIndex(of: signature.signer.key) {
        choices[index].formUnion(signature.signer.units)
      } else {
        keys.append(signature.signer.key)
        choices.append(Set(signature.signer.units))
      }
    }
    self.choices = choices.map { $0.sorted { ($0.entry, $0.identity ?? -1) < ($1.entry, $1.identity ?? -1) } }
  }

  /// How many keys there are.
  var keys: Int { choices.count }

  /// The signers that are counted, by a largest matching.
  var signers: [SignerUnit] {
    var owner: [SignerUnit: Int] = [:]
    for key in choices.indices {
      var visited: Set<SignerUnit> = []
      _ = assign(key, &owner, &visited)
    }
    return owner.keys.sorted { ($0.entry, $0.identity ?? -1) < ($1.entry, $1.identity ?? -1) }
  }

  private func assign(_ key: Int, _ owner: inout [SignerUnit: Int], _ visited: inout Set<SignerUnit>) -> Bool {
    for unit in choices[key] where visited.insert(unit).inserted {
      if let other = owner[unit], !assign(other, &owner, &visited) { continue }
      owner[unit] = key
      return true
    }
    return false
  }
}

/// A signature by somebody trusted over a statement that holds, before it is known whether there are enough.
struct CountedSignature {
  let label: String
  let signer: FoundSigner
  let signature: VerifiedSignature
  /// What the artifact is taken for: by the caller, or by the statement.
  let role: ArtifactRole

  /// What kind of artifact the statement is about.
  var predicateType: PredicateType { signature.statement.predicateType }
}
