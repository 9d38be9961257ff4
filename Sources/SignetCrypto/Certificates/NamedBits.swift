internal import SignetBase

/// A BIT STRING whose bits have names (X.680, section 22): what a key is for, why a certificate was revoked.
struct NamedBits: Sendable {
  /// Bit 0 is the highest; bits from the seventeenth on have no names here.
  let bits: UInt16
  /// Whether trailing zero bits are left out, as DER demands of named bits (X.690, section 11.2.2).
  let isShortest: Bool

  /// Extensions define nine bits; what is longer than this is no honest list.
  private static let mostBytes = 3

  /// - Parameter content: the content of the BIT STRING; nil when it breaks DER otherwise than by trailing zero bits.
  init?(_ content: [UInt8]) {
    guard content.count <= Self.mostBytes, DERReader.isBitString(content), let unused = content.first else {
      return nil
    }
    bits = (content.count > 1 ? UInt16(content[1]) << 8 : 0) | (content.count > 2 ? UInt16(content[2]) : 0)
    isShortest = content.count == 1 || Int(unused) == content[content.count - 1].trailingZeroBitCount
  }

  /// Whether the bit with this number is set.
  func has(_ number: Int) -> Bool { bits & (0x8000 >> number) != 0 }
}
