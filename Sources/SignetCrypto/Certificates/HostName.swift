/// Names of hosts and mailboxes, as far as they can be compared with what a CA may name: where a name begins and ends, and
/// that it has one spelling but for case.
enum HostName {
  /// Labels of letters, digits and hyphens (RFC 1123, section 2.1), each of 1 to 63 bytes, all of at most 253, the last
  /// not all digits, as that of an address would be.
  ///
  /// - Parameter allowsUnderscores: an underscore is no part of a host's name, but of some that URIs have.
  static func isProper(_ text: some BidirectionalCollection<UInt8>, allowsUnderscores: Bool = false) -> Bool {
    let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.count <= 253, let last = labels.last, !last.allSatisfy(isDigit) else { return false }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy {
          isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || (allowsUnderscores && $0 == UInt8(ascii: "_"))
        }
    }
  }

  /// A local part of visible characters, one at sign, a host (RFC 2821, section 4.1.2). Quoted local parts, in which
  /// another at sign could hide, are not taken.
  static func isMailbox(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(UInt8(ascii: "\"")) else { return false }
    return parts[0].allSatisfy { (0x21..<0x7f).contains($0) } && isProper(parts[1])
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercased(byte))
  }
  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
