internal import SignetBase

/// Serial numbers (RFC 5280, section 4.1.2.2), as the content of an INTEGER.
package enum SerialNumber {
  /// Section 4.1.2.2: "Conforming CAs MUST NOT use serialNumber values longer than 20 octets."
  static let mostBytes = 20

  /// The magnitude in hexadecimal, with a hyphen in front if the number is negative.
  package static func text(_ content: [UInt8]) -> String {
    guard let first = content.first, first >= 0x80 else {
      let magnitude = content.drop { $0 == 0 }
      return magnitude.isEmpty ? "00" : Hexadecimal.encode(Array(magnitude))
    }
    // Two's complement: invert and add one.
    var magnitude = content.map { ~$0 }
    var index = magnitude.count - 1
    while index >= 0 {
      magnitude[index] &+= 1
      if magnitude[index] != 0 { break }
      index -= 1
    }
    return "-" + Hexadecimal.encode(Array(magnitude.drop { $0 == 0 }))
  }

  /// Why a serial number must not be used; nil if it may be used.
  static func objection(_ content: [UInt8]) -> String? {
    if content.first.map({ $0 >= 0x80 }) ?? true { return "has a negative serial number" }
    if content == [0] { return "has the serial number zero" }
    if content.count > mostBytes { return "has a serial number of more than \(mostBytes) octets" }
    return nil
  }
}
