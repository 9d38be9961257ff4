package import SignetBase

/// A transparency log's claim about a signature (`sigstore_rekor.proto`).
///
/// Other programs' bundles carry such entries. Signet keeps them, and says that it did not check them.
package struct TransparencyLogEntry: Hashable, Sendable {
  /// The index of the entry in the log.
  package let logIndex: Int64
  /// The log's key ID.
  package let logID: [UInt8]
  /// The kind of entry. ``kindVersion`` has its version.
  package let kind: String
  /// The version of the kind.
  package let kindVersion: String
  /// When the log claims to have taken the entry, in seconds since 1970.
  package let integratedTime: Int64
  /// The log's promise to include the entry: a signature.
  package let inclusionPromise: [UInt8]?
  /// The proof that the log has included the entry.
  package let inclusionProof: InclusionProof?
  /// The entry as the log stores it.
  package let canonicalizedBody: [UInt8]

  /// The path from the entry to a signed tree head.
  package struct InclusionProof: Hashable, Sendable {
    /// The index of the entry in the tree.
    package let logIndex: Int64
    /// The root hash of the tree.
    package let rootHash: [UInt8]
    /// The number of entries in the tree.
    package let treeSize: Int64
    /// The hashes from leaf to root.
    package let hashes: [[UInt8]]
    /// The signed tree head.
    package let checkpoint: String?
  }
}

/// The JSON form. The initializer is in an extension, so that the type keeps its memberwise initializer.
extension TransparencyLogEntry {
  /// Reads the protojson form, in which a field with its default value may be absent.
  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    logIndex = object.has("logIndex") ? try object.int64Text("logIndex") : 0
    integratedTime = object.has("integratedTime") ? try object.int64Text("integratedTime") : 0
    canonicalizedBody = object.has("canonicalizedBody") ? try object.bytes("canonicalizedBody") : []
    if var log = try object.optionalObject("logId") {
      logID = log.has("keyId") ? try log.bytes("keyId") : []
      try log.finish()
    } else {
      logID = []
    }
    if var names = try object.optionalObject("kindVersion") {
      kind = try names.optionalString("kind") ?? ""
      kindVersion = try names.optionalString("version") ?? ""
      try names.finish()
    } else {
      (kind, kindVersion) = ("", "")
    }
    if var promise = try object.optionalObject("inclusionPromise") {
      inclusionPromise = promise.has("signedEntryTimestamp") ? try promise.bytes("signedEntryTimestamp") : []
      try promise.finish()
    } else {
      inclusionPromise = nil
    }
    inclusionProof = try object.optionalObject("inclusionProof").map { (proof) throws(SignetError) in
      try InclusionProof(proof)
    }
    try object.finish()
  }

  /// The protojson form, without fields that have their default values.
  var json: JSONValue {
    .object(
      ("logIndex", .int64(logIndex)), ("integratedTime", .int64(integratedTime)),
      ("canonicalizedBody", .bytes(canonicalizedBody)),
      ("logId", logID.isEmpty ? nil : .object(("keyId", .bytes(logID)))),
      (
        "kindVersion",
        kind.isEmpty && kindVersion.isEmpty
          ? nil
          : .object(
            ("kind", kind.isEmpty ? nil : .string(kind)),
            ("version", kindVersion.isEmpty ? nil : .string(kindVersion)))
      ),
      ("inclusionPromise", inclusionPromise.map { .object(("signedEntryTimestamp", .bytes($0))) }),
      ("inclusionProof", inclusionProof?.json))
  }
}

extension TransparencyLogEntry.InclusionProof {
  fileprivate init(_ object: JSONObject) throws(SignetError) {
    var object = object
    logIndex = object.has("logIndex") ? try object.int64Text("logIndex") : 0
    treeSize = object.has("treeSize") ? try object.int64Text("treeSize") : 0
    rootHash = object.has("rootHash") ? try object.bytes("rootHash") : []
    var hashes: [[UInt8]] = []
    for value in try object.optionalArray("hashes") {
      guard case .string(let text) = value.content else {
        throw object.wrong("hashes", "a list of texts", value.kind)
      }
      do throws(SignetError) {
        hashes.append(try Base64.decode(text))
      } catch {
        throw error.about(object.path(of: "hashes"))
      }
    }
    self.hashes = hashes
    if var head = try object.optionalObject("checkpoint") {
      checkpoint = try head.optionalString("envelope") ?? ""
      try head.finish()
    } else {
      checkpoint = nil
    }
    try object.finish()
  }

  fileprivate var json: JSONValue {
    .object(
      ("logIndex", .int64(logIndex)), ("treeSize", .int64(treeSize)), ("rootHash", .bytes(rootHash)),
      ("hashes", hashes.isEmpty ? nil : .array(hashes.map { .string(Base64.encode($0)) })),
      ("checkpoint", checkpoint.map { .object(("envelope", $0.isEmpty ? nil : .string($0))) }))
  }
}

extension JSONValue {
  /// protojson's int64; nil for the default value.
  fileprivate static func int64(_ number: Int64) -> JSONValue? { number == 0 ? nil : .string("\(number)") }
}

extension Optional<JSONValue> {
  fileprivate static func int64(_ number: Int64) -> JSONValue? { JSONValue.int64(number) }
  /// protojson's bytes; nil for the default value.
  fileprivate static func bytes(_ bytes: [UInt8]) -> JSONValue? {
    bytes.isEmpty ? nil : .string(Base64.encode(bytes))
  }
}
