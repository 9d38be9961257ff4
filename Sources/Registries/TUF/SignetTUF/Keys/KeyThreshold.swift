public import SignetBase
internal import SignetCrypto

/// The keys of a role, and how many of them must sign (specification, sections 4.3 and 4.5).
public struct KeyThreshold: Sendable {
  /// The IDs of the keys. An ID that occurs twice counts once.
  public var keyIDs: [String]
  /// The number of keys whose signatures are needed, 1 or more.
  public var threshold: Int
  /// The fields that are not known.
  public var unknown: [JSONValue.Member]

  /// Creates the keys of a role.
  public init(keyIDs: [String], threshold: Int, unknown: [JSONValue.Member] = []) {
    self.keyIDs = keyIDs
    self.threshold = threshold
    self.unknown = unknown
  }

  /// The number of keys of a role at most. Each may cost a client a signature to check.
  private static let mostKeys = 1000

  /// Takes the two fields from an object; the unknown ones are left to the caller.
  init(from object: inout JSONObject) throws(SignetError) {
    keyIDs = try object.texts("keyids", atMost: Self.mostKeys)
    threshold = try object.positive("threshold")
    unknown = []
  }

  /// The two fields.
  var fields: [(String, JSONValue?)] {
    [("keyids", .array(keyIDs.map { .string($0) })), ("threshold", .integer(threshold))]
  }

  /// Whether all keys of an earlier time are still there. Keys may have been added.
  func keepsKeys(of earlier: KeyThreshold) -> Bool {
    Set(earlier.keyIDs.map { Array($0.utf8) }).isSubset(of: keyIDs.map { Array($0.utf8) })
  }
}

/// Who must have signed a role's metadata: what the delegating role says of it.
public struct RoleAuthority: Sendable {
  /// The name of the role that must be signed for.
  public let role: String
  /// The role's keys and their threshold.
  public let keys: KeyThreshold
  /// The ring in which the delegating role keeps the keys.
  public let ring: KeyRing

  init(role: String, keys: KeyThreshold, ring: KeyRing) {
    self.role = role
    self.keys = keys
    self.ring = ring
  }

  /// Checks that enough keys have signed a message.
  ///
  /// Each key counts once (section 5: "each KEY MUST only contribute one SIGNATURE"), also if it stands in the ring
  /// under two IDs.
  ///
  /// - Throws: `tuf.threshold`; `crypto.failure`.
  func check(_ signatures: RoleSignatures, over message: [UInt8], of object: String) throws(SignetError) {
    var signers = Set<[UInt8]>()
    var seen = Set<[UInt8]>()
    var faults: [String] = []
    let ring = ring.subring(keys.keyIDs)
    for id in keys.keyIDs where seen.insert(Array(id.utf8)).inserted {
      guard let signature = signatures[id] else { continue }
      guard let use = try ring.key(id) else {
        faults.append("key \(Self.short(id)) is not in the file of the delegating role")
        continue
      }
      switch use {
      case .unusable(let reason): faults.append("key \(Self.short(id)) cannot be used: \(reason)")
      case .verifies(let key, let scheme):
        guard try scheme.verifies(signature, over: message, by: key) else {
          faults.append("the signature of key \(Self.short(id)) is not valid")
          continue
        }
        signers.insert(key.der)
        if signers.count >= keys.threshold { return }
      }
    }
    let listed = faults.prefix(Self.shownFaults).map { "; \($0)" }.joined()
    throw SignetError(
      .tufThreshold, object, "is not signed by enough keys of the role \(role.display)",
      expected: "valid signatures of \(keys.threshold) of its keys", found: "\(signers.count)\(listed)",
      hint: object.utf8.starts(with: "pending/".utf8)
        ? "have it signed by more of the role's keys: signet repo sign DIRECTORY --key KEY"
        : "use another mirror, or ask the owner of the repository")
  }

  /// The number of faults that a message names.
  private static let shownFaults = 4

  /// The beginning of an ID, which is enough to find it.
  private static func short(_ id: String) -> String { String(id.prefix(8)).display }
}
