internal import Keyless
package import Signet
package import SignetBase
internal import SignetSystem

/// A trust policy that is changed: it is read, and written back in one step. No other run changes it meanwhile.
package struct PolicyFile {
  let path: String
  package let policy: TrustPolicy
  /// The policy's own file, if the path is a link.
  private let file: RegularFile
  private let lock: ChangeLock

  /// How often a link is followed again because it leads to another file by then.
  private static let tries = 100

  /// Reads the policy, once no other run is changing it.
  package init(_ path: String, allowTestKeys: Bool) throws(SignetError) {
    self.path = path
    (file, lock) = try Self.locked(path)
    do throws(SignetError) {
      policy = try TrustPolicy(
        json: file.bytes(limit: JSONLimits.policy.size), allowsTestKeys: allowTestKeys, with: .all)
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }

  /// Locks and opens the policy. The lock is beside the policy itself, which is read once no other run is changing it.
  private static func locked(_ path: String) throws(SignetError) -> (RegularFile, ChangeLock) {
    for _ in 0..<tries {
      let place = try TrustedPath.open(path, isSecret: false).path
      let lock = try ChangeLock(beside: place)
      let file = try TrustedPath.open(path, isSecret: false)
      if file.path.isExactly(place) { return (file, lock) }
    }
    throw SignetError(.fileChanged, path, "keeps changing", hint: "run it again")
  }

  /// Writes another policy in its place, unless a program that takes no lock has already done so.
  package func replace(with other: TrustPolicy) throws(SignetError) {
    try withExtendedLifetime(lock) { () throws(SignetError) in
      guard FileStatus.identities(of: [file.path]).first == file.status.identity else {
        throw SignetError(.fileChanged, path, "was changed by another process", hint: "run it again")
      }
      try Self.write(other, to: file.path, .replace(unless: []))
    }
  }

  /// Writes a new policy. None is made that commands would later refuse.
  ///
  /// - Throws: `file.others-may-write`, `output.exists`, `output.failed`, `policy.…`.
  package static func begin(_ policy: TrustPolicy, at path: String) throws(SignetError) {
    do throws(SignetError) {
      try TrustedPath.checkFolder(of: path)
    } catch  where error.code == .fileOthersMayWrite {
      var error = error
      error.hint = "create it in a folder that belongs to you and that only you can write"
      throw error
    } catch {
      // A missing folder is reported when the policy is written.
    }
    try write(policy, to: path, .keep)
  }

  /// Writes a policy in its canonical form.
  static func write(
    _ policy: TrustPolicy, to path: String, _ existing: OutputFile.Existing
  ) throws(SignetError) {
    let text = try policy.canonicalBytes() + [UInt8(ascii: "\n")]
    // The limits of the text are not those of a policy. A policy that could not be read again must not replace another.
    do throws(SignetError) {
      _ = try TrustPolicy(json: text, allowsTestKeys: policy.allowsTestKeys, with: .all)
    } catch {
      var error = error.about("\(path), as it would be: \(error.object)")
      error.hint = nil
      throw error
    }
    try Interruption.held { () throws(SignetError) in try OutputFile.write(text, to: path, existing) }
  }
}

extension TrustPolicy {
  /// The same policy with other entries, and perhaps other revocations.
  package func with(_ entries: [TrustEntry], revocations: [Revocation]? = nil) throws(SignetError) -> TrustPolicy {
    var terms = terms
    terms.revocations = revocations ?? self.revocations
    return try TrustPolicy(entries: entries, terms: terms, allowsTestKeys: allowsTestKeys)
  }

  /// The same policy with one more signer of the verification summaries that it demands.
  func demandingSummaries(by signer: TrustEntry) throws(SignetError) -> TrustPolicy {
    var terms = terms
    terms.summary = try SummaryRequirement(
      signers: (terms.summary?.signers ?? []) + [signer], verifier: terms.summary?.verifier,
      policySHA256: terms.summary?.policySHA256, levels: terms.summary?.levels ?? [])
    return try with(terms)
  }

  /// The same policy without an entry; nil if it has no entry with this name.
  ///
  /// - Throws: `policy.entry` for the last signer of summaries: without it, the policy would no longer demand any.
  package func without(_ name: String) throws(SignetError) -> TrustPolicy? {
    let rest = entries.filter { !$0.name.isExactly(name) }
    if rest.count < entries.count { return try with(rest) }
    guard let summary = terms.summary else { return nil }
    let signers = summary.signers.filter { !$0.name.isExactly(name) }
    guard signers.count < summary.signers.count else { return nil }
    guard !signers.isEmpty else {
      throw SignetError(
        .policyEntry, name, "is the only signer of the verification summaries that the policy demands",
        hint: "add another one first; or end the demand: signet trust set POLICY --no-summary")
    }
    var terms = terms
    terms.summary = try SummaryRequirement(
      signers: signers, verifier: summary.verifier, policySHA256: summary.policySHA256, levels: summary.levels)
    return try with(terms)
  }

  /// The same policy on other terms.
  package func with(_ terms: Terms) throws(SignetError) -> TrustPolicy {
    try TrustPolicy(entries: entries, terms: terms, allowsTestKeys: allowsTestKeys)
  }
}
