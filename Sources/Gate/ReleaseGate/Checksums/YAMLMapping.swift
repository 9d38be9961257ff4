internal import SignetBase

/// The fields of a mapping in a YAML text that a reader asks for.
struct YAMLMapping: Sendable {
  struct Field: Sendable {
    let key: [UInt8]
    var value: YAMLValue
    /// The number of the line with the key, from 1 on.
    let line: Int
  }

  var fields: [Field] = []
  /// Whether it is the whole text, and in nothing else.
  let isRoot: Bool
}

/// The value of a field.
enum YAMLValue: Sendable, Equatable {
  /// Nothing, or null.
  case nothing
  case text([UInt8])
  /// A list, a mapping, or a reference to a value elsewhere.
  case other

  /// A text that is not in quotation marks.
  init(plain text: [UInt8]) {
    self =
      text.isEmpty || ["~", "null", "Null", "NULL"].contains { text.elementsEqual($0.utf8) } ? .nothing : .text(text)
  }

  /// The maximum size of a text that lines are added to. Names and digests are shorter, and each line copies it.
  private static let sizeLimit = 4096

  /// Adds what follows in another line.
  mutating func append(_ next: YAMLValue) {
    switch (self, next) {
    case (.nothing, _): self = next
    case (.text(let text), .text(let rest)) where text.count <= Self.sizeLimit: self = .text(text + [0x20] + rest)
    case (_, .nothing): break
    default: self = .other
    }
  }

  /// The value as a message shows it.
  var display: String {
    switch self {
    case .nothing: "nothing"
    case .text(let text): String(decoding: text.prefix(100), as: UTF8.self)
    case .other: "no text"
    }
  }
}
