/// Reads DER elements one after the other; a nil anywhere means "not the DER that was expected".
package struct DERReader {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  package init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  package var isAtEnd: Bool { position == end }

  /// The tag of the next element.
  package var nextTag: UInt8? { position < end ? bytes[position] : nil }

  private mutating func next(_ tag: UInt8) -> Range<Int>? {
    guard let element = DERElement(in: bytes.span, at: position, limit: end), element.tag == tag else { return nil }
    position = element.content.upperBound
    return element.content
  }

  /// What has not been read yet.
  package var rest: [UInt8] { Array(bytes[position..<end]) }

  /// The tag of the next element, whichever it is, and a reader of its content.
  package mutating func element() -> (tag: UInt8, content: DERReader)? {
    guard let element = DERElement(in: bytes.span, at: position, limit: end) else { return nil }
    position = element.content.upperBound
    return (element.tag, DERReader(bytes, element.content))
  }

  /// A reader of the next element's content, when it has this tag.
  package mutating func element(_ tag: UInt8) -> DERReader? { next(tag).map { DERReader(bytes, $0) } }

  /// The next element as it stands, tag and length included, when it has this tag.
  package mutating func encoded(_ tag: UInt8) -> [UInt8]? {
    let start = position
    return next(tag).map { Array(bytes[start..<$0.upperBound]) }
  }

  /// The next BOOLEAN, whose true is 0xff (X.690, section 11.1).
  package mutating func boolean() -> Bool? {
    guard let content = next(DERElement.boolean), content.count == 1, let value = bytes[content].first else {
      return nil
    }
    return value == 0xff ? true : value == 0 ? false : nil
  }

  /// The content of the next INTEGER, in two's complement and as short as can be.
  package mutating func integer() -> [UInt8]? {
    guard let content = next(DERElement.integer) else { return nil }
    let value = Array(bytes[content])
    return Self.isShortestInteger(value) ? value : nil
  }

  /// A reader of the next element's content.
  package mutating func sequence() -> DERReader? { next(DERElement.sequence).map { DERReader(bytes, $0) } }

  /// The content of the next OBJECT IDENTIFIER, as encoded.
  package mutating func objectIdentifier() -> [UInt8]? { next(DERElement.objectIdentifier).map { Array(bytes[$0]) } }

  /// The content of the next OCTET STRING.
  package mutating func octetString() -> [UInt8]? { next(DERElement.octetString).map { Array(bytes[$0]) } }

  /// Passes a NULL.
  package mutating func null() -> Void? { next(DERElement.null).flatMap { $0.isEmpty ? () : nil } }

  /// The bytes of the next BIT STRING, which must be whole bytes.
  package mutating func bitString() -> [UInt8]? {
    guard let content = next(DERElement.bitString), let unused = bytes[content].first, unused == 0 else { return nil }
    return Array(bytes[content].dropFirst())
  }

  /// The magnitude of the next INTEGER, big-endian without leading zeros; nil when it is negative or not minimal.
  package mutating func unsignedInteger() -> [UInt8]? {
    guard let content = next(DERElement.integer), let first = bytes[content].first, first < 0x80 else { return nil }
    let value = Array(bytes[content])
    if value.count > 1 && first == 0 { return value[1] >= 0x80 ? Array(value.dropFirst()) : nil }
    return first == 0 ? [] : value
  }

  /// The next INTEGER as a number that is at most `bound`.
  package mutating func unsignedInteger(atMost bound: Int) -> Int? {
    guard let magnitude = unsignedInteger(), magnitude.count <= 7 else { return nil }
    let value = magnitude.reduce(0) { $0 << 8 | Int($1) }
    return value <= bound ? value : nil
  }
}
