/// Takes an object's fields one by one; a field that was not taken by the end is unknown, and refused.
///
/// The path (`bundle.verificationMaterial.publicKey`) says where in the document the object is. Every error has it as
/// its object, with line and column if the text is at hand.
package struct JSONObject {
  package let path: String
  package let unknownField: SignetError.Code
  /// The text of the whole document, for documents that people write by hand.
  private let text: [UInt8]?
  private let offset: Int?
  private let members: [JSONValue.Member]
  /// Which of the members have been taken.
  private var taken: [Bool]

  /// Starts with all fields of an object.
  ///
  /// - Parameters:
  ///   - unknownField: the error code for a field that is never taken.
  ///   - text: the text of the document, for errors that should give line and column.
  /// - Throws: `json.wrong-value` if the value is not an object.
  package init(
    _ value: JSONValue, _ path: String, unknownField: SignetError.Code, in text: [UInt8]? = nil
  ) throws(SignetError) {
    self.text = text
    self.path = path
    self.unknownField = unknownField
    offset = value.offset
    guard case .object(let members) = value.content else {
      throw SignetError(
        .jsonWrongValue, Self.located(path, value.offset, text), "has the wrong type", expected: "an object",
        found: value.kind)
    }
    self.members = members
    taken = [Bool](repeating: false, count: members.count)
  }

  /// Whether a field exists that has not been taken yet.
  package func has(_ name: String) -> Bool { index(of: name).map { !taken[$0] } ?? false }

  /// The names of all fields, in the order of the text.
  package var names: [String] { members.map(\.name) }

  /// All fields, whether or not they were taken.
  package var all: [JSONValue.Member] { members }

  /// The whole object as it was read, including fields that were taken.
  package var value: JSONValue { JSONValue(.object(members)) }

  private func index(of name: String) -> Int? { members.firstIndex { $0.name.isExactly(name) } }

  /// Takes a field that may be missing.
  package mutating func optional(_ name: String) -> JSONValue? {
    guard let index = index(of: name), !taken[index] else { return nil }
    taken[index] = true
    return members[index].value
  }

  /// Takes a field that must exist.
  package mutating func required(_ name: String) throws(SignetError) -> JSONValue {
    guard let value = optional(name) else {
      throw SignetError(.jsonMissingField, path(of: name), "is missing")
    }
    return value
  }

  package mutating func string(_ name: String) throws(SignetError) -> String {
    let value = try required(name)
    guard case .string(let text) = value.content else { throw wrong(name, "a text", value.kind) }
    return text
  }

  package mutating func optionalString(_ name: String) throws(SignetError) -> String? {
    has(name) ? try string(name) : nil
  }

  package mutating func array(_ name: String) throws(SignetError) -> [JSONValue] {
    let value = try required(name)
    guard case .array(let elements) = value.content else { throw wrong(name, "a list", value.kind) }
    return elements
  }

  package mutating func optionalArray(_ name: String) throws(SignetError) -> [JSONValue] {
    has(name) ? try array(name) : []
  }

  package mutating func optionalBool(_ name: String) throws(SignetError) -> Bool? {
    guard let value = optional(name) else { return nil }
    guard case .bool(let truth) = value.content else { throw wrong(name, "true or false", value.kind) }
    return truth
  }

  /// Takes a size or count: a whole number that is not negative.
  package mutating func count(_ name: String) throws(SignetError) -> Int {
    let value = try required(name)
    guard case .integer(let number) = value.content, number >= 0 else {
      throw wrong(name, "a whole number that is not negative", value.kind)
    }
    return Int(number)
  }

  /// Takes an int64 of protojson: a text of decimal digits.
  package mutating func int64Text(_ name: String) throws(SignetError) -> Int64 {
    let text = try string(name)
    guard let number = Int64(text), "\(number)".isExactly(text) else { throw wrong(name, "a number as a text", text) }
    return number
  }

  /// Takes bytes of protojson: padded standard base64.
  package mutating func bytes(_ name: String) throws(SignetError) -> [UInt8] {
    let text = try string(name)
    do throws(SignetError) {
      return try Base64.decode(text)
    } catch {
      throw error.about(path(of: name))
    }
  }

  /// Takes a time in the form that Signet writes.
  package mutating func time(_ name: String) throws(SignetError) -> UnixTime {
    let text = try string(name)
    guard let time = UnixTime(text) else { throw wrong(name, "a time such as 2026-11-21T02:26:37Z", text) }
    return time
  }

  package mutating func optionalTime(_ name: String) throws(SignetError) -> UnixTime? {
    has(name) ? try time(name) : nil
  }

  package mutating func object(_ name: String) throws(SignetError) -> JSONObject {
    try child(required(name), name)
  }

  package mutating func optionalObject(_ name: String) throws(SignetError) -> JSONObject? {
    has(name) ? try object(name) : nil
  }

  /// Takes the objects of a list that may be missing.
  package mutating func objects(_ name: String, atMost limit: Int) throws(SignetError) -> [JSONObject] {
    let elements = try optionalArray(name)
    guard elements.count <= limit else { throw wrong(name, "at most \(limit) elements", "\(elements.count)") }
    var objects: [JSONObject] = []
    for (index, element) in elements.enumerated() { objects.append(try child(element, "\(name)[\(index)]")) }
    return objects
  }

  /// Takes the texts of a list that may be missing.
  package mutating func strings(_ name: String, atMost limit: Int) throws(SignetError) -> [String] {
    let elements = try optionalArray(name)
    guard elements.count <= limit else { throw wrong(name, "at most \(limit) elements", "\(elements.count)") }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element.content else { throw wrong(name, "a list of texts", element.kind) }
      texts.append(text)
    }
    return texts
  }

  package func child(_ value: JSONValue, _ name: String) throws(SignetError) -> JSONObject {
    try JSONObject(value, "\(path).\(name)", unknownField: unknownField, in: text)
  }

  /// The fields that were not taken, for formats whose unknown fields are kept.
  package var rest: [JSONValue.Member] {
    guard taken.contains(false) else { return [] }
    return zip(members, taken).filter { !$1 }.map(\.0)
  }

  /// Checks that every field was taken.
  package func finish() throws(SignetError) {
    guard let member = taken.firstIndex(of: false) else { return }
    throw SignetError(unknownField, path(of: members[member].name), "is an unknown field")
  }

  /// A field's place in the document, with line and column if they are known.
  package func path(of name: String) -> String {
    Self.located("\(path).\(name)", index(of: name).flatMap { members[$0].value.offset } ?? offset, text)
  }

  /// The place of an element of a field that is a list.
  package func path(of name: String, _ index: Int, _ element: JSONValue) -> String {
    Self.located("\(path).\(name)[\(index)]", element.offset ?? offset, text)
  }

  /// The object's own place.
  package var place: String { Self.located(path, offset, text) }

  private static func located(_ path: String, _ offset: Int?, _ text: [UInt8]?) -> String {
    guard let offset, let text else { return path }
    return "\(JSONReader.place(offset, in: text)), \(path)"
  }

  package func wrong(_ name: String, _ expected: String, _ found: String) -> SignetError {
    SignetError(.jsonWrongValue, path(of: name), "has an invalid value", expected: expected, found: found)
  }
}
