internal import SignetBase

extension JSONValue {
  /// The value of a member; nil if the member is missing, or if this is not an object.
  func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name.isExactly(name) }?.value
  }

  /// The text of a member; nil for a value that is not a text.
  func text(_ name: String) -> String? {
    guard case .string(let text)? = member(name)?.content else { return nil }
    return text
  }

  /// An object of some members and of those that were not known when it was read.
  static func object(_ members: [(String, JSONValue?)], and unknown: [Member]) -> JSONValue {
    JSONValue(.object(members.compactMap { name, value in value.map { Member(name, $0) } } + unknown))
  }
}

extension JSONObject {
  /// Takes a number that is 1 or more.
  mutating func positive(_ name: String) throws(SignetError) -> Int {
    let number = try count(name)
    guard number > 0 else { throw wrong(name, "a whole number above 0", "\(number)") }
    return number
  }

  /// Takes an object's members, whatever their names are.
  mutating func members(_ name: String) throws(SignetError) -> [JSONValue.Member] {
    let value = try required(name)
    guard case .object(let members) = value.content else { throw wrong(name, "an object", value.kind) }
    return members
  }

  /// Takes the texts of a list that must exist.
  mutating func texts(_ name: String, atMost limit: Int = .max) throws(SignetError) -> [String] {
    guard has(name) else { throw SignetError(.jsonMissingField, path(of: name), "is missing") }
    return try strings(name, atMost: limit)
  }
}

extension Hexadecimal {
  /// Decodes digits of either case: other people's metadata has both, and no identity depends on it.
  static func decodeEither(_ text: String) -> [UInt8]? {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "F")
    return decode(String(decoding: text.utf8.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
  }
}
