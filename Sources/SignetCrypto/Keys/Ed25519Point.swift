internal import SignetBase

/// Which 32-byte strings may serve as an Ed25519 public key.
///
/// OpenSSL takes all of them. With a key of small order one signature verifies every message; with a second encoding
/// of the same point one key has two names.
enum Ed25519Point {
  /// p = 2^255 - 19, little endian.
  private static let prime: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

  /// The y coordinates of the points whose order divides 8 (RFC 7748, section 7 and RFC 8032, section 5.1): 1, -1, 0
  /// and the two of order 8.
  private static let smallOrder: [[UInt8]] = [
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [UInt8](repeating: 0, count: 32),
    Hexadecimal.decode("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05") ?? [],
    Hexadecimal.decode("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a") ?? [],
  ]

  /// Why the bytes must not be used; nil when they may.
  static func objection(to key: [UInt8]) -> String? {
    guard key.count == 32 else { return "is not 32 bytes long" }
    let y = Array(key[..<31]) + [key[31] & 0x7f]
    // Both encodings of y = 1 and of y = -1 that differ in the sign bit are small-order points or no points at all.
    if smallOrder.contains(y) { return "is a point of small order: one signature would verify every message" }
    let isReduced = zip(y.reversed(), prime.reversed()).first { $0 != $1 }.map { $0 < $1 } ?? false
    return isReduced ? nil : "is not in canonical form: its coordinate is not below 2^255 - 19"
  }
}
