internal import SignetCrypto

/// Takes an object's fields one by one; whatever was not taken by the end is unknown, and refused.
///
/// The path (`bundle.verificationMaterial.publicKey`) is where in the document the object stands: it is the object of
/// every complaint.
struct JSONObject {
  let path: String
  let unknownField: SignetError.Code
  private var members: [JSONValue.Member]

  /// - Parameter unknownField: the code for a field nobody takes.
  /// - Throws: `json.wrong-value` when the value is no object.
  init(
    _ value: JSONValue, _ path: String, unknownField: SignetError.Code
  ) throws(SignetError) {
    guard case .object(let members) = value.content else {
      throw SignetError(.jsonWrongValue, path, "is of the wrong kind", expected: "an object", found: value.kind)
    }
    self.path = path
    self.members = members
    self.unknownField = unknownField
  }

  /// Whether a field that has not been taken yet is there.
  func has(_ name: String) -> Bool { members.contains { $0.name.isExactly(name) } }

  /// Takes a field that may be missing.
  mutating func optional(_ name: String) -> JSONValue? {
    guard let index = members.firstIndex(where: { $0.name.isExactly(name) }) else { return nil }
    return members.remove(at: index).value
  }

  /// Takes a field that must be there.
  mutating func required(_ name: String) throws(SignetError) -> JSONValue {
    guard let value = optional(name) else {
      throw SignetError(.jsonMissingField, path(of: name), "is missing")
    }
    return value
  }

  mutating func string(_ name: String) throws(SignetError) -> String {
    let value = try required(name)
    guard case .string(let text) = value.content else { throw wrong(name, "a text", value.kind) }
    return text
  }

  mutating func optionalString(_ name: String) throws(SignetError) -> String? {
    has(name) ? try string(name) : nil
  }

  mutating func array(_ name: String) throws(SignetError) -> [JSONValue] {
    let value = try required(name)
    guard case .array(let elements) = value.content else { throw wrong(name, "a list", value.kind) }
    return elements
  }

  mutating func optionalArray(_ name: String) throws(SignetError) -> [JSONValue] {
    has(name) ? try array(name) : []
  }

  /// A size or count: a whole number that is not negative.
  mutating func count(_ name: String) throws(SignetError) -> Int {
    let value = try required(name)
    guard case .integer(let number) = value.content, number >= 0 else {
      throw wrong(name, "a whole number that is not negative", value.kind)
    }
    return Int(number)
  }

  /// protojson's int64: a text of decimal digits.
  mutating func int64Text(_ name: String) throws(SignetError) -> Int64 {
    let text = try string(name)
    guard let number = Int64(text), "\(number)".isExactly(text) else { throw wrong(name, "a number as a text", text) }
    return number
  }

  /// protojson's bytes: padded standard base64.
  mutating func bytes(_ name: String) throws(SignetError) -> [UInt8] {
    let text = try string(name)
    do throws(SignetError) {
      return try Base64.decode(text)
    } catch {
      throw error.about(path(of: name))
    }
  }

  mutating func object(_ name: String) throws(SignetError) -> JSONObject {
    try JSONObject(required(name), path(of: name), unknownField: unknownField)
  }

  mutating func optionalObject(_ name: String) throws(SignetError) -> JSONObject? {
    has(name) ? try object(name) : nil
  }

  /// Makes sure that every field was taken.
  func finish() throws(SignetError) {
    guard let member = members.first else { return }
    throw SignetError(unknownField, path(of: member.name), "is a field that is not known here")
  }

  func path(of name: String) -> String { "\(path).\(name)" }

  func wrong(_ name: String, _ expected: String, _ found: String) -> SignetError {
    SignetError(.jsonWrongValue, path(of: name), "is not what it must be", expected: expected, found: found)
  }
}
