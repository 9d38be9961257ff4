internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem
public import SignetVerify

/// A policy that its owner signs, and that a program takes from anywhere and keeps in a file of its own.
///
/// The owner signs each version as a host's manifest: `signet sign trust.json --host-manifest com.example.policy --sequence 8`.
/// The highest sequence that was seen is kept, and an older version is refused. Nobody else may write the file.
public struct KeptPolicy: Sendable {
  /// The path of the file, which need not be there yet.
  public let path: String
  /// What the owner calls the policy.
  public let identifier: ModuleIdentifier
  /// The name of the file that the owner signs.
  public let name: String
  /// Who may sign the policy: by a scope for modules that covers ``identifier``.
  public let owner: TrustPolicy
  private let clock: VerificationClock
  private let parts: [PolicyPart]

  /// The maximum length of the file in bytes.
  private static let sizeLimit = 8 << 20

  /// - Parameters:
  ///   - path: the path of the file, in a folder that only this user can write.
  ///   - identifier: what the owner calls the policy: `com.example.policy`.
  ///   - name: the name of the file that the owner signs.
  ///   - owner: who may sign the policy. If the owner's key changes, give a policy that follows its lineage.
  ///   - clock: gives the time at which the owner's signature is judged.
  ///   - parts: what policies may have besides entries with keys and certificates.
  public init(
    at path: String, _ identifier: ModuleIdentifier, named name: String = "trust.json", by owner: TrustPolicy,
    clock: VerificationClock, with parts: [PolicyPart] = []
  ) {
    (self.path, self.identifier, self.name, self.owner) = (path, identifier, name, owner)
    (self.clock, self.parts) = (clock, parts)
  }

  /// The policy that was taken last; nil if there was none. The owner's signature was verified when it was taken.
  ///
  /// - Throws: `file.others-may-write` and other `file.…` codes; `policy.malformed` for a file that cannot be read, which is not
  ///   as if there were none; what reading a policy throws.
  public func read() throws -> TrustPolicy? {
    guard let kept = try content() else { return nil }
    return try TrustPolicy(json: kept.text, with: parts)
  }

  /// Takes a version of the policy, if it is not older than the one that is kept.
  ///
  /// - Parameters:
  ///   - text: the policy's JSON text, as the owner has signed it, from anybody.
  ///   - bundles: the owner's signatures, each as a bundle's JSON text.
  /// - Returns: the policy.
  /// - Throws: a `Refusal` if it is not the owner's, or older (`policy.rollback`); `policy.rollback` for another version of the
  ///   same number. Then the file stays as it was. What ``read()`` throws, `output.…`, and `file.locked`.
  public func take(_ text: [UInt8], signedBy bundles: [[UInt8]]) throws -> TrustPolicy {
    let lock = try AdvisoryLock(beside: path)
    defer { withExtendedLifetime(lock) {} }
    let kept = try content()
    let proof = try Verifier(policy: owner, clock: clock).verify(
      .bytes(text), signatures: .bytes(bundles),
      expecting: .hostManifest(identifier: identifier, named: name, leastSequence: kept?.sequence ?? 1)
    ).get()
    let policy = try TrustPolicy(json: text, with: parts)
    // Each of the signatures suffices: the highest number counts, so that an old signature beside a new one lowers nothing.
    let sequence = proof.signatures.compactMap(\.statement.hostManifest?.sequence).max() ?? proof.sequence
    let new = Content(text: text, sequence: sequence)
    if let kept, kept.sequence == sequence {
      guard kept.text == text else {
        throw SignetError(
          .policyRollback, name, "has the number of the version that is kept, and other content",
          expected: "sequence \(sequence + 1) or later", found: "\(sequence)",
          hint: "ask the policy's owner to sign it with a higher number")
      }
      return policy
    }
    let bytes = try new.bytes()
    guard bytes.count <= Self.sizeLimit else {
      throw SignetError(
        .policyMalformed, name, "is too long to be kept", expected: "at most \(Self.sizeLimit * 3 / 4) bytes",
        found: "\(text.count)", hint: "ask the policy's owner for a shorter one")
    }
    try OutputFile.write(bytes, to: path, mode: 0o600, .replace(unless: []))
    return policy
  }

  private func content() throws(SignetError) -> Content? {
    do throws(SignetError) { _ = try FileStatus(ofLink: path) } catch  where error.code == .fileMissing { return nil }
    let text = try TrustedContent.read(path, limit: Self.sizeLimit).withBytes { Array(copying: $0) }
    do throws(SignetError) { return try Content(text) } catch {
      throw SignetError(
        .policyMalformed, path, "cannot be read", cause: error,
        hint: "restore the file; without it, an older version of the policy would be accepted")
    }
  }

  /// A policy and its number, in one file.
  private struct Content {
    let text: [UInt8]
    let sequence: Int

    init(text: [UInt8], sequence: Int) { (self.text, self.sequence) = (text, sequence) }

    init(_ json: [UInt8]) throws(SignetError) {
      var object = try JSONObject(
        JSONReader.read(json, limits: .payload), "file", unknownField: .policyUnknownField)
      text = try object.bytes("policy")
      sequence = try object.sequence("sequence")
      try object.finish()
    }

    func bytes() throws(SignetError) -> [UInt8] {
      try CanonicalJSON.write(
        .object(("policy", .string(Base64.encode(text))), ("sequence", .integer(sequence))))
    }
  }
}
