/// What a token of FIDO has signed besides (PROTOCOL.u2f of OpenSSH).
struct SSHTokenData: Hashable {
  let flags: UInt8
  let counter: [UInt8]

  /// - Returns: nil if it is not there.
  init?(_ reader: inout SSHReader) {
    guard let flags = reader.byte(), let counter = reader.bytes(4) else { return nil }
    (self.flags, self.counter) = (flags, counter)
  }

  /// Whether somebody was there who touched the token.
  var isPresent: Bool { flags & 1 == 1 }
}

/// Reads the values of SSH (RFC 4251, section 5): a string is four bytes with the length, then as many bytes.
struct SSHReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }
  /// How many bytes are left.
  var count: Int { rest.count }

  mutating func string() -> [UInt8]? {
    guard let length = bytes(4).map({ $0.reduce(0) { $0 << 8 | Int($1) } }) else { return nil }
    return bytes(length)
  }

  /// A string in UTF-8.
  mutating func text() -> String? { string().flatMap { String(validating: $0, as: UTF8.self) } }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func byte() -> UInt8? { bytes(1)?.first }

  mutating func number64() -> UInt64? { bytes(8)?.reduce(0) { $0 << 8 | UInt64($1) } }

  /// A list of strings that is a string itself.
  mutating func list() -> [[UInt8]]? {
    guard let whole = string() else { return nil }
    var reader = SSHReader(whole[...])
    var all: [[UInt8]] = []
    while !reader.isAtEnd {
      guard let next = reader.string() else { return nil }
      all.append(next)
    }
    return all
  }
}
