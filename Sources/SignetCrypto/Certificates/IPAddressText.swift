/// The texts of IP addresses: four decimal numbers, or RFC 5952.
enum IPAddressText {
  /// nil unless there are four or sixteen bytes.
  static func text(_ bytes: [UInt8]) -> String? {
    switch bytes.count {
    case 4: return bytes.map { "\($0)" }.joined(separator: ".")
    case 16:
      let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      guard let zeros = longestZeros(groups) else { return text(groups[...]) }
      return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
    default: return nil
    }
  }

  private static func text(_ groups: ArraySlice<UInt16>) -> String {
    groups.map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// The first of the longest runs of at least two zero groups (RFC 5952, section 4.2).
  private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
    var longest = 0..<0
    var start = 0
    for index in 0...groups.count where index == groups.count || groups[index] != 0 {
      if index - start > longest.count { longest = start..<index }
      start = index + 1
    }
    return longest.count >= 2 ? longest : nil
  }
}
