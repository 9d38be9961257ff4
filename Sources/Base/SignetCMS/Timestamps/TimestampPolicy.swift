internal import SignetBase

/// A policy under which an authority of timestamps states times (TSAPolicyId: RFC 3161, section 2.4.1).
package struct TimestampPolicy: Hashable, Sendable, CustomStringConvertible {
  let name: OID

  /// Reads the policy as its authority publishes it: numbers with dots between them.
  ///
  /// - Returns: nil if no object identifier is written so.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    var numbers: [UInt64] = []
    for part in parts {
      guard let number = UInt64(String(decoding: Array(part), as: UTF8.self)), "\(number)".utf8.elementsEqual(part)
      else { return nil }
      numbers.append(number)
    }
    guard (2...32).contains(numbers.count), numbers[0] <= 2, numbers[0] == 2 || numbers[1] < 40,
      numbers[1] < 1 << 32
    else { return nil }
    var content = Self.base128(numbers[0] * 40 + numbers[1])
    for number in numbers.dropFirst(2) { content += Self.base128(number) }
    guard let name = OID(content: content) else { return nil }
    self.name = name
  }

  package var description: String { name.description }

  /// A number in digits of seven bits, each but the last with the first bit set (X.690, section 8.19).
  private static func base128(_ number: UInt64) -> [UInt8] {
    var digits = [UInt8(number & 0x7f)]
    var rest = number >> 7
    while rest > 0 {
      digits.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
      rest >>= 7
    }
    return digits
  }
}
