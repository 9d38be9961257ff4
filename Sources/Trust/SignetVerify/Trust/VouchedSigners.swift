public import SignetBase
package import SignetCrypto

/// Signers whose signatures others vouch for, such as the authority and the logs of a Sigstore instance.
///
/// SignetVerify has none. Who reads a policy says which kinds it may have (``PolicyPart``): programs that need none of them
/// do not compile what verifies them.
package protocol VouchedSigners: Sendable, CustomStringConvertible {
  /// The field of a policy's entry that names such signers.
  static var field: String { get }
  /// Reads the field's object.
  init(_ object: JSONObject) throws(SignetError)
  /// The object, with which the policy is written again.
  var json: JSONValue { get }
  /// The keys that must have signed, where keys must; a policy checks their strength.
  var keys: [PublicKey] { get }
  /// The names of those that count as a signer each; one or more.
  var names: [String] { get }
  /// What is legal in them and probably a mistake, for people.
  var advice: [(topic: String, message: String)] { get }
  /// Judges a bundle as a signature by one of them.
  ///
  /// - Throws: if that could not be determined.
  func judge(_ bundle: SigstoreBundle, at now: UnixTime) throws(SignetError) -> VouchedSignature
  /// Judges the text of a bundle that signs bytes alone.
  ///
  /// - Parameter digest: computes a digest of the bytes.
  func judge(
    message text: [UInt8], at now: UnixTime, _ digest: (DigestAlgorithm) throws(SignetError) -> Digest
  ) throws(SignetError) -> VouchedSignature
  /// The names of the formats of other programs in which they sign.
  var formats: [String] { get }
  /// Judges a signature in such a format.
  func judge(_ signature: any SearchedSignature, at now: UnixTime) throws(SignetError) -> VouchedSignature
}

extension VouchedSigners {
  package var formats: [String] { [] }
  package func judge(
    _ signature: any SearchedSignature, at now: UnixTime
  ) throws(SignetError) -> VouchedSignature {
    VouchedSignature(
      .stranger(
        SignetError(
          .signerUntrusted, "\(Self.field)", "does not sign in this format", expected: "a bundle",
          found: signature.format.rawValue)), [])
  }
}

/// What a bundle is worth as a signature by ``VouchedSigners``.
package struct VouchedSignature: Sendable {
  package let outcome: Outcome
  /// What was checked, in order.
  package let checks: [(step: Check.Step, outcome: Check.Outcome)]

  package enum Outcome: Sendable {
    /// All that is demanded holds. The indices are those of the signer's names.
    case holds(key: PublicKey, ProvenIdentity?, path: CertificatePath?, names: [Int])
    /// It is by none of these signers.
    case stranger(SignetError)
    /// It claims one of these signers, and something of it does not hold.
    case broken(SignetError)
  }

  package init(_ outcome: Outcome, _ checks: [(step: Check.Step, outcome: Check.Outcome)]) {
    (self.outcome, self.checks) = (outcome, checks)
  }
}

/// Who has signed by an identity and when, as an authority and logs have established it.
public struct ProvenIdentity: Sendable {
  /// The identity: an address of mail, a URI, or a user's name.
  public let name: String
  /// Who has established the identity; nil for authorities that do not say it.
  public let issuer: String?
  /// Who counts as one signer, by whatever names.
  package let holder: String
  /// What else the certificate says, such as the repository of a workflow, by name and in order.
  public let claims: [(name: String, text: String)]
  /// The times at which the signature was there, earliest first; none if nobody has proven one.
  public let times: [UnixTime]

  package init(
    _ name: String, issuer: String?, holder: String, claims: [(name: String, text: String)], times: [UnixTime]
  ) {
    (self.name, self.issuer, self.holder, self.claims, self.times) = (name, issuer, holder, claims, times)
  }
}

/// Vouched signers as an anchor. They are equal if a policy has the same text for them.
package struct VouchedAnchor: Hashable, Sendable {
  package let signers: any VouchedSigners
  private let text: [UInt8]

  init(_ signers: some VouchedSigners) throws(SignetError) {
    self.signers = signers
    text = try CanonicalJSON.write(signers.json)
  }

  package static func == (left: VouchedAnchor, right: VouchedAnchor) -> Bool { left.text == right.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
