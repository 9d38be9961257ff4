/// A JSON value (RFC 8259), as the strict reader returns it and the canonical writer takes it.
///
/// Object members keep their order, and names are compared as bytes. Swift's string comparison would treat names that
/// differ only in Unicode normalisation as equal (the Kelvin sign and the letter K, for example).
public struct JSONValue: Sendable {
  /// The type and content of a value.
  public enum Content: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number from -(2^53-1) to 2^53-1, which every JSON reader holds exactly (RFC 7493, section 2.2).
    case integer(Int64)
    /// Any other number, as its text: other people's predicates have such numbers, Signet's never do.
    case decimal(String)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Named values, without duplicate names.
    case object([Member])
  }

  /// A name and its value.
  public struct Member: Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: JSONValue

    /// Creates a member from its name and value.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The type and content of the value.
  public let content: Content
  /// Where the value begins in the text it was read from, in bytes; nil for a value that was not read from a text.
  let offset: Int?

  /// Creates a value.
  public init(_ content: Content) { self.init(content, at: nil) }

  init(_ content: Content, at offset: Int?) {
    self.content = content
    self.offset = offset
  }

  /// Makes a value from a text.
  public static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }
  /// Makes a value from a whole number.
  public static func integer(_ number: Int) -> JSONValue { JSONValue(.integer(Int64(number))) }
  /// Makes a value from a list.
  public static func array(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }
  /// Makes a value from named values, in any order; members that are nil are left out.
  public static func object(_ members: (String, JSONValue?)...) -> JSONValue {
    JSONValue(.object(members.compactMap { name, value in value.map { Member(name, $0) } }))
  }

  /// The value without the members of objects that are null, for documents of programs that write null for what is missing.
  package var withoutNulls: JSONValue {
    switch content {
    case .array(let values): JSONValue(.array(values.map(\.withoutNulls)), at: offset)
    case .object(let members):
      JSONValue(
        .object(
          members.compactMap { member in
            if case .null = member.value.content { return nil }
            return Member(member.name, member.value.withoutNulls)
          }), at: offset)
    default: self
    }
  }

  /// The kind of the value, for messages.
  public var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "a whole number"
    case .decimal: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
