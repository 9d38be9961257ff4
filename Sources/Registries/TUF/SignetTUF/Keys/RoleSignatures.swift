public import SignetBase

/// The signatures of a file of metadata: at most one for each key ID (specification, section 4.2.1).
public struct RoleSignatures: Sendable {
  /// One signature.
  public struct Entry: Sendable {
    /// The ID of the key that is said to have made it.
    public let keyID: String
    /// The signature in hexadecimal; empty where somebody has yet to sign.
    public let signature: String
    /// The fields that are not known.
    public let unknown: [JSONValue.Member]

    var json: JSONValue {
      .object([("keyid", .string(keyID)), ("sig", .string(signature))], and: unknown)
    }
  }

  /// The signatures in the order of the file.
  public private(set) var entries: [Entry] = []
  private var places: [[UInt8]: Int] = [:]

  init() {}

  /// - Throws: `json.…` for another form; `tuf.duplicate-signature`.
  init(_ objects: [JSONObject]) throws(SignetError) {
    for var object in objects {
      let id = try object.string("keyid")
      let signature = try object.string("sig")
      guard places[Array(id.utf8)] == nil else {
        throw SignetError(
          .tufDuplicateSignature, object.path, "two signatures have one key ID", expected: "one for each key",
          found: id.display)
      }
      places[Array(id.utf8)] = entries.count
      entries.append(Entry(keyID: id, signature: signature, unknown: object.rest))
    }
  }

  /// The signature of a key; nil if it is missing, empty or not hexadecimal.
  public subscript(_ id: String) -> [UInt8]? {
    guard let place = places[Array(id.utf8)] else { return nil }
    guard let bytes = Hexadecimal.decodeEither(entries[place].signature), !bytes.isEmpty else { return nil }
    return bytes
  }

  /// Sets the signature of a key, in place of an earlier one.
  mutating func set(_ signature: [UInt8], of id: String) {
    let entry = Entry(keyID: id, signature: Hexadecimal.encode(signature), unknown: [])
    if let place = places[Array(id.utf8)] {
      entries[place] = entry
    } else {
      places[Array(id.utf8)] = entries.count
      entries.append(entry)
    }
  }

  var json: JSONValue { .array(entries.map(\.json)) }
}
