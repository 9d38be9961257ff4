/// One tag-length-value element of DER (ITU-T X.690, section 10): its position, not its meaning.
///
/// Only what keys, signatures and certificates need is supported: low tag numbers, and definite lengths in their
/// shortest form.
package struct DERElement {
  /// The tag byte, including the class and the constructed bit.
  package let tag: UInt8
  /// The position of the value.
  package let content: Range<Int>

  package static let boolean: UInt8 = 0x01
  package static let integer: UInt8 = 0x02
  package static let bitString: UInt8 = 0x03
  package static let octetString: UInt8 = 0x04
  package static let null: UInt8 = 0x05
  package static let objectIdentifier: UInt8 = 0x06
  package static let enumerated: UInt8 = 0x0a
  package static let utf8String: UInt8 = 0x0c
  package static let printableString: UInt8 = 0x13
  package static let teletexString: UInt8 = 0x14
  package static let ia5String: UInt8 = 0x16
  package static let utcTime: UInt8 = 0x17
  package static let generalizedTime: UInt8 = 0x18
  package static let visibleString: UInt8 = 0x1a
  package static let universalString: UInt8 = 0x1c
  package static let bmpString: UInt8 = 0x1e
  package static let sequence: UInt8 = 0x30
  package static let set: UInt8 = 0x31

  /// The tag of a context-specific element that holds others.
  package static func constructed(_ number: UInt8) -> UInt8 { 0xa0 | number }
  /// The tag of a context-specific element that holds bytes.
  package static func primitive(_ number: UInt8) -> UInt8 { 0x80 | number }

  /// Reads the element that starts at `position` and ends at or before `limit`; nil if there is no such element.
  package init?(in bytes: Span<UInt8>, at position: Int, limit: Int) {
    guard limit <= bytes.count, position + 2 <= limit else { return nil }
    tag = bytes[position]
    guard tag & 0x1f != 0x1f else { return nil }
    var start = position + 2
    var length = Int(bytes[position + 1])
    if length >= 0x80 {
      let octets = length & 0x7f
      // 0x80 is the indefinite form, which DER forbids. Four octets can state a greater length than any input may
      // have.
      guard (1...4).contains(octets), start + octets <= limit else { return nil }
      length = 0
      for index in start..<start + octets { length = length << 8 | Int(bytes[index]) }
      guard bytes[start] != 0, length >= 0x80 else { return nil }
      start += octets
    }
    guard length <= limit - start else { return nil }
    content = start..<start + length
  }
}

/// Reads DER elements in sequence; a nil result always means "not the DER that was expected".
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

  /// The bytes that have not been read yet.
  package var rest: [UInt8] { Array(bytes[position..<end]) }

  /// The tag of the next element, of any type, and a reader of its content.
  package mutating func element() -> (tag: UInt8, content: DERReader)? {
    guard let element = DERElement(in: bytes.span, at: position, limit: end) else { return nil }
    position = element.content.upperBound
    return (element.tag, DERReader(bytes, element.content))
  }

  /// A reader of the next element's content, if the element has this tag.
  package mutating func element(_ tag: UInt8) -> DERReader? { next(tag).map { DERReader(bytes, $0) } }

  /// The encoding of the next element, including tag and length, if the element has this tag.
  package mutating func encoded(_ tag: UInt8) -> [UInt8]? {
    let start = position
    return next(tag).map { Array(bytes[start..<$0.upperBound]) }
  }

  /// The next BOOLEAN, in which true is 0xff (X.690, section 11.1).
  package mutating func boolean() -> Bool? {
    guard let content = next(DERElement.boolean), content.count == 1, let value = bytes[content].first else {
      return nil
    }
    return value == 0xff ? true : value == 0 ? false : nil
  }

  /// The content of the next INTEGER, in two's complement and in its shortest form.
  package mutating func integer() -> [UInt8]? {
    guard let content = next(DERElement.integer) else { return nil }
    let value = Array(bytes[content])
    return Self.isShortestInteger(value) ? value : nil
  }

  /// A reader of the next SEQUENCE's content.
  package mutating func sequence() -> DERReader? { next(DERElement.sequence).map { DERReader(bytes, $0) } }

  /// The encoded content of the next OBJECT IDENTIFIER.
  package mutating func objectIdentifier() -> [UInt8]? { next(DERElement.objectIdentifier).map { Array(bytes[$0]) } }

  /// The content of the next OCTET STRING.
  package mutating func octetString() -> [UInt8]? { next(DERElement.octetString).map { Array(bytes[$0]) } }

  /// Skips a NULL.
  package mutating func null() -> Void? { next(DERElement.null).flatMap { $0.isEmpty ? () : nil } }

  /// The bytes of the next BIT STRING, which must consist of whole bytes.
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

  /// The next INTEGER as a number; nil if it is greater than `bound`.
  package mutating func unsignedInteger(atMost bound: Int) -> Int? {
    guard let magnitude = unsignedInteger(), magnitude.count <= 7 else { return nil }
    let value = magnitude.reduce(0) { $0 << 8 | Int($1) }
    return value <= bound ? value : nil
  }

  /// The maximum nesting depth of elements. Values in certificates whose type the certificate itself names (ANY
  /// DEFINED BY) nest three or four deep.
  private static let depthLimit = 16

  /// Whether everything that has not been read yet is DER, whatever it means.
  ///
  /// Every element is checked: constructed elements hold elements, and values of the simple types have their one form
  /// (X.690, sections 8 and 11).
  package var isWellFormed: Bool { isWellFormed(depth: 0) }

  private func isWellFormed(depth: Int) -> Bool {
    guard depth < Self.depthLimit else { return false }
    var reader = self
    while !reader.isAtEnd {
      guard let (tag, content) = reader.element() else { return false }
      let isConstructed = tag & 0x20 != 0
      if isConstructed, !content.isWellFormed(depth: depth + 1) { return false }
      if tag & 0xc0 == 0, !Self.isUniversal(tag, content.rest) { return false }
    }
    return true
  }

  /// Whether the form of an element is one that its universal type allows.
  private static func isUniversal(_ tag: UInt8, _ content: [UInt8]) -> Bool {
    switch tag {
    // EXTERNAL and EMBEDDED PDV are constructed, too.
    case DERElement.sequence, DERElement.set, 0x28, 0x2b: true
    case let other where other & 0x20 != 0: false
    case DERElement.boolean: content == [0] || content == [0xff]
    case DERElement.integer, DERElement.enumerated: isShortestInteger(content)
    case DERElement.bitString: isBitString(content)
    case DERElement.null: content.isEmpty
    case DERElement.objectIdentifier: OID(content: content) != nil
    // Tag 0 ends contents of indefinite length; a SEQUENCE or SET is always constructed.
    case 0, DERElement.sequence & 0x1f, DERElement.set & 0x1f: false
    default: true
    }
  }

  /// Whether an INTEGER's content has no needless leading octet (X.690, section 8.3.2).
  package static func isShortestInteger(_ content: [UInt8]) -> Bool {
    guard let first = content.first else { return false }
    return content.count == 1 || !(first == 0 && content[1] < 0x80 || first == 0xff && content[1] >= 0x80)
  }

  /// Whether a BIT STRING's content has at most seven unused bits, all of them zero (X.690, section 11.2.1).
  package static func isBitString(_ content: [UInt8]) -> Bool {
    guard let unused = content.first, unused < 8 else { return false }
    guard content.count > 1, let last = content.last else { return unused == 0 }
    return last & (1 << unused &- 1) == 0
  }

  /// Skips the next element if it and everything within it is DER, whatever it means.
  package mutating func any() -> Void? {
    guard let tag = nextTag, let element = encoded(tag) else { return nil }
    return DERReader(element).isWellFormed ? () : nil
  }

  /// Whether there are between one and `limit` unread elements, and each of them has the given form.
  ///
  /// - Parameter form: reads one element; it returns nil if the element is malformed.
  package mutating func isList(atMost limit: Int, _ form: (inout DERReader) -> Void?) -> Bool {
    guard !isAtEnd else { return false }
    var count = 0
    while !isAtEnd {
      count += 1
      guard count <= limit, form(&self) != nil else { return false }
    }
    return true
  }
}

/// Writes DER elements (ITU-T X.690, section 10).
package enum DERWriter {
  package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    if content.count < 0x80 {
      length = [UInt8(content.count)]
    } else {
      var rest = content.count
      while rest > 0 {
        length.insert(UInt8(rest & 0xff), at: 0)
        rest >>= 8
      }
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [tag] + length + content
  }

  package static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(DERElement.sequence, parts.flatMap { $0 }) }

  package static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(DERElement.bitString, [0] + bytes) }

  /// An INTEGER from a magnitude without leading zeros; a zero byte is added in front if its first bit is set.
  package static func unsignedInteger(_ magnitude: [UInt8]) -> [UInt8] {
    let needsZero = magnitude.first.map { $0 >= 0x80 } ?? true
    return element(DERElement.integer, (needsZero ? [0] : []) + magnitude)
  }
}
