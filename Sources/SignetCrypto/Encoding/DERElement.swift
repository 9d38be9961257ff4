/// One tag-length-value of DER (ITU-T X.690, section 10): where it stands, not what it means.
///
/// Only what keys, signatures and certificates need: low tag numbers, definite lengths in their shortest form.
struct DERElement {
  /// The tag byte, class and constructed bit included.
  let tag: UInt8
  /// Where the value stands.
  let content: Range<Int>

  static let boolean: UInt8 = 0x01
  static let integer: UInt8 = 0x02
  static let bitString: UInt8 = 0x03
  static let octetString: UInt8 = 0x04
  static let null: UInt8 = 0x05
  static let objectIdentifier: UInt8 = 0x06
  static let enumerated: UInt8 = 0x0a
  static let utf8String: UInt8 = 0x0c
  static let printableString: UInt8 = 0x13
  static let teletexString: UInt8 = 0x14
  static let ia5String: UInt8 = 0x16
  static let utcTime: UInt8 = 0x17
  static let generalizedTime: UInt8 = 0x18
  static let visibleString: UInt8 = 0x1a
  static let universalString: UInt8 = 0x1c
  static let bmpString: UInt8 = 0x1e
  static let sequence: UInt8 = 0x30
  static let set: UInt8 = 0x31

  /// The tag of a context-specific element that holds others.
  static func constructed(_ number: UInt8) -> UInt8 { 0xa0 | number }
  /// The tag of a context-specific element that holds bytes.
  static func primitive(_ number: UInt8) -> UInt8 { 0x80 | number }

  /// Reads the element that starts at `position` and ends at or before `limit`; nil if none does.
  init?(in bytes: Span<UInt8>, at position: Int, limit: Int) {
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
