/// One tag-length-value of DER (ITU-T X.690, section 10): where it stands, not what it means.
///
/// Only what keys, signatures and certificates need: low tag numbers, definite lengths in their shortest form.
package struct DERElement {
  /// The tag byte, class and constructed bit included.
  package let tag: UInt8
  /// Where the value stands.
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

  /// Reads the element that starts at `position` and ends at or before `limit`; nil if none does.
  package init?(in bytes: Span<UInt8>, at position: Int, limit: Int) {
    guard limit <= bytes.count, position + 2 <= limit else { return nil }
    tag = bytes[position]
    guard tag & 0x1f != 0x1f else { return nil }
    var start = position + 2
    var length = Int(bytes[position + 1])
    if length >= 0x80 {
      let octets = length & 0x7f
      // 0x80 is the indefinite form, which DER forbids; four octets reach further than any input may be long.
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
