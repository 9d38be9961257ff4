public import SignetBase
internal import SignetCrypto
public import SignetNames
package import SignetVerify

/// The release that a waiver is about.
package struct WaivedRelease: Hashable, Sendable {
  /// The module's identifier.
  package let identifier: ModuleIdentifier
  /// The release's sequence.
  package let sequence: Int
  /// The SHA-256 that is signed for its archive.
  package let sha256: Digest
  /// What messages call the release.
  package let name: String

  package init(_ identifier: ModuleIdentifier, sequence: Int, sha256: Digest, called name: String) {
    (self.identifier, self.sequence, self.sha256, self.name) = (identifier, sequence, sha256, name)
  }

  /// What the release is taken for.
  var role: ArtifactRole { ArtifactRole(module: identifier) }
}

/// A statement by those who have signed the release before: this one may have less (docs/format.md, section 9.9).
///
/// Each of them signs it. Its text has a bundle of each in a line, and all of them state the same.
public struct ContinuityWaiver: Sendable {
  /// Why the release may have less, for people.
  public let reason: String
  /// The text that it is read from.
  public let text: [UInt8]
  /// The bundles, at least one.
  package let bundles: [SigstoreBundle]
  /// The module that it is about.
  public let module: ModuleIdentifier
  /// The sequence of the release that may have less.
  public let sequence: Int
  private let sha256: Digest

  /// The type of the statement. No artifact's statement has it.
  package static let predicateType = "urn:signet:continuity-waiver:v1"
  private static let statementType = "https://in-toto.io/Statement/v1"
  /// The maximum length of a text in bytes.
  public static let sizeLimit = 1 << 18
  private static let reasonLimit = 1000

  /// Reads a waiver from anybody. Nothing is verified yet.
  ///
  /// - Throws: `continuity.waiver`.
  public init(reading text: [UInt8]) throws(SignetError) {
    guard text.count <= Self.sizeLimit else {
      throw Self.wrong("is too long", expected: "at most \(Self.sizeLimit) bytes", found: "\(text.count)")
    }
    self.text = text
    let lines = text.split(separator: UInt8(ascii: "\n"))
    guard (1...SignatureSource.bundleLimit).contains(lines.count) else {
      throw Self.wrong("has no bundles, or too many", found: "\(lines.count)")
    }
    do throws(SignetError) {
      bundles = try lines.map { (line) throws(SignetError) in try SigstoreBundle(json: Array(line)) }
      let payload = bundles[0].envelope.payload
      guard bundles.allSatisfy({ $0.envelope.payload == payload }) else {
        throw Self.wrong("has statements that differ", expected: "one statement that all have signed")
      }
      (module, sequence, sha256, reason) = try Self.read(payload)
      guard try Self.payload(module, sequence: sequence, sha256: sha256, reason: reason) == payload else {
        throw Self.wrong("is not canonical")
      }
    } catch {
      if [.continuityWaiver, .cryptoFailure].contains(error.code) { throw error }
      throw Self.wrong("cannot be read", cause: error)
    }
  }

  private static func read(
    _ payload: [UInt8]
  ) throws(SignetError) -> (ModuleIdentifier, Int, Digest, String) {
    var object = try JSONObject(
      JSONReader.read(payload, limits: .payload), "waiver", unknownField: .continuityWaiver)
    let (type, predicateType) = (try object.string("_type"), try object.string("predicateType"))
    guard type.isExactly(statementType), predicateType.isExactly(Self.predicateType) else {
      throw wrong("is a statement of another type", expected: Self.predicateType, found: predicateType)
    }
    let subjects = try object.objects("subject", atMost: 1)
    guard var subject = subjects.first else { throw wrong("is about nothing") }
    var digests = try subject.object("digest")
    let sha256 = try digests.sha256("sha256")
    let module = try subject.module("name")
    var predicate = try object.object("predicate")
    let (sequence, reason) = (try predicate.sequence("sequence"), try predicate.string("reason"))
    for each in [digests, subject, predicate, object] { try each.finish() }
    return (module, sequence, sha256, reason)
  }

  /// The statement in canonical JSON.
  ///
  /// - Throws: `continuity.waiver` for a reason that is empty or too long.
  package static func payload(
    _ module: ModuleIdentifier, sequence: Int, sha256: Digest, reason: String
  ) throws(SignetError) -> [UInt8] {
    guard (1...reasonLimit).contains(reason.utf8.count) else {
      throw wrong("needs a reason", expected: "1 to \(reasonLimit) bytes", found: "\(reason.utf8.count)")
    }
    return try CanonicalJSON.write(
      .object(
        ("_type", .string(statementType)),
        (
          "subject",
          .array([
            .object(("name", .string("\(module)")), ("digest", .object(("sha256", .string(sha256.hex)))))
          ])
        ), ("predicateType", .string(predicateType)),
        ("predicate", .object(("sequence", .integer(sequence)), ("reason", .string(reason))))))
  }

  /// Checks that everybody has signed it who has signed the release before.
  ///
  /// - Returns: the reason that they give.
  /// - Throws: `continuity.waiver`; `crypto.failure`.
  func check(
    _ release: WaivedRelease, signedBy old: SigningRecord, under policy: TrustPolicy, at time: UnixTime
  ) throws(SignetError) -> String {
    guard module == release.identifier, sequence == release.sequence, sha256 == release.sha256 else {
      throw Self.wrong(
        "is about another release",
        expected: "\(release.identifier), sequence \(release.sequence), \(release.sha256)",
        found: "\(module), sequence \(sequence), \(sha256)")
    }
    var signers: [RecordedSigner] = []
    for (index, bundle) in bundles.enumerated() {
      do throws(SignetError) {
        let found = try policy.signer(
          of: bundle, "waiver, bundle \(index + 1)", as: release.role, at: time)
        signers.append(
          RecordedSigner(found.key, found.path, found.identity, trustedBy: found.entries, of: policy))
      } catch {
        if error.code == .cryptoFailure { throw error }
        throw Self.wrong("has a bundle by nobody whom the policy trusts for the module", cause: error)
      }
    }
    // A weaker entry of the policy waives nothing for a better one.
    let missing = old.signers.filter { before in
      before.isTrusted(by: policy, for: release.role, at: time)
        && !signers.contains { signer in
          signer.isSame(as: before, under: policy)
            && (signer.kind >= before.kind || signer.key.isExactly(before.key))
        }
    }
    guard missing.isEmpty else {
      throw Self.wrong(
        "is not signed by everybody who has signed the release before",
        expected: missing.map { $0.shown(under: policy) }.joined(separator: ", "),
        found: signers.map { $0.shown(under: policy) }.joined(separator: ", "))
    }
    return reason
  }

  private static func wrong(
    _ what: String, expected: String? = nil, found: String? = nil, cause: SignetError? = nil
  ) -> SignetError {
    SignetError(
      .continuityWaiver, "waiver", what, expected: expected, found: found, cause: cause,
      hint: "get the waiver from the publisher again")
  }
}
