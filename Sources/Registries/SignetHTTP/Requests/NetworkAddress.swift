/// The address of a server in a network: the four bytes of IPv4, or the sixteen of IPv6.
struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  private let bytes: [UInt8]

  /// - Parameter bytes: four or sixteen; nil for any other number.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Whether only this machine, or only what is on the same wire, can be reached there: loopback, unspecified and
  /// link-local addresses, however they are written in IPv6.
  ///
  /// Services there often trust every client. A server of a network has no reason to lead anybody there.
  var isLocal: Bool {
    if let four {
      // "This network" and loopback (RFC 1122, section 3.2.1.3), link-local (RFC 3927).
      return four[0] == 0 || four[0] == 127 || four[0] == 169 && four[1] == 254
    }
    // Unspecified and loopback (RFC 4291, section 2.5), link-local (section 2.5.6).
    if bytes.dropLast().allSatisfy({ $0 == 0 }) && bytes[15] <= 1 { return true }
    return bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
  }

  /// The address of IPv4 that is meant; nil if it is one of IPv6 alone.
  private var four: [UInt8]? {
    guard bytes.count == 16 else { return bytes }
    // :: and ::1 look like addresses of IPv4, and are not.
    guard bytes.dropLast(2).contains(where: { $0 != 0 }) else { return nil }
    guard let form = Self.embedding.first(where: { bytes.starts(with: $0.prefix) }) else { return nil }
    return Array(bytes[form.place..<form.place + 4])
  }

  /// Where addresses of IPv6 have one of IPv4 in them.
  private static let embedding: [(prefix: [UInt8], place: Int)] = [
    // IPv4-mapped (RFC 4291, section 2.5.5.2) and IPv4-translated (RFC 2765, section 2.1).
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 12),
    ([0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0], 12),
    // IPv4-compatible (RFC 4291, section 2.5.5.1).
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 12),
    // NAT64 (RFC 6052, section 2.1), also under a prefix of one's own, at its usual place (RFC 8215), and 6to4
    // (RFC 3056, section 2).
    ([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 12),
    ([0, 0x64, 0xff, 0x9b, 0, 1], 12),
    ([0x20, 0x02], 2),
  ]

  /// The address in its usual form, or in groups of four digits.
  var description: String {
    guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
    let groups: [Int] = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    return groups.map { String($0, radix: 16) }.joined(separator: ":")
  }
}
