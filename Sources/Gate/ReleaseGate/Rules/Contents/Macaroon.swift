/// The form of PyPI's tokens: a macaroon of libmacaroons' second version.
enum Macaroon {
  private static let locations = ["pypi.org", "test.pypi.org"].map { Array($0.utf8) }

  /// Whether some bytes are a macaroon of PyPI.
  ///
  /// - Parameter isWhole: whether they end with the macaroon, so that the end is checked, too.
  static func isPyPI(_ bytes: [UInt8], isWhole: Bool) -> Bool {
    // The version, and the field 1 with the location.
    guard bytes.count >= 32, bytes.starts(with: [2, 1]),
      locations.contains(where: { Int(bytes[2]) == $0.count && bytes.dropFirst(3).starts(with: $0) })
    else { return false }
    var rest = bytes.dropFirst(3 + Int(bytes[2]))
    // Field 2 is the identifier. The caveats follow, each with the fields 1 or not, 2, and 4 or not. A zero ends a
    // section, and another one all of them. Field 6 is the signature.
    guard rest.first == 2, skipField(&rest, isWhole), skipZero(&rest, isWhole) else { return false }
    while let type = rest.first, type != 0 {
      guard type == 1 || type == 2 || type == 4 else { return false }
      guard skipField(&rest, isWhole) else { return false }
      if rest.first == 0, !skipZero(&rest, isWhole) { return false }
    }
    guard isWhole else { return true }
    return rest.starts(with: [0, 6, 32]) && rest.count == 35
  }

  /// Skips a field: its type, its length in seven-bit groups, and its content. What is cut off counts as skipped.
  private static func skipField(_ rest: inout ArraySlice<UInt8>, _ isWhole: Bool) -> Bool {
    rest = rest.dropFirst()
    var (length, shift) = (0, 0)
    while let byte = rest.popFirst() {
      length |= Int(byte & 0x7f) << shift
      shift += 7
      guard byte & 0x80 != 0 else {
        let isThere = length <= rest.count
        rest = rest.dropFirst(length)
        return isThere || !isWhole
      }
      guard shift <= 14 else { return false }
    }
    return !isWhole
  }

  private static func skipZero(_ rest: inout ArraySlice<UInt8>, _ isWhole: Bool) -> Bool {
    guard let byte = rest.popFirst() else { return !isWhole }
    return byte == 0
  }
}
