internal import SignetBase

/// Signatures of minisign and signify: a comment that nobody has signed, then base64 of `Ed` (or `ED`: over a digest), the
/// key's number and the signature. minisign adds a comment that the key has signed, and that second signature.
struct MinisignSignature {
  /// Whether the signature is over the digest of the file, and not over the file.
  let isPrehashed: Bool
  /// The key's number: eight bytes that its owner's program has drawn.
  let number: [UInt8]
  /// The signature: 64 bytes of Ed25519.
  let signature: [UInt8]
  /// What is in the first line, which nobody has signed.
  let comment: String
  /// minisign's second comment, and the signature over the first one and it; nil for a signature of signify.
  let trusted: Trusted?
  /// What is behind the lines of the signature.
  let rest: [UInt8]

  struct Trusted {
    let comment: [UInt8]
    /// 64 bytes of Ed25519; empty if they cannot be read.
    let signature: [UInt8]
  }

  private static let comment = Array("untrusted comment:".utf8)
  private static let trusted = Array("trusted comment:".utf8)
  /// minisign reads at most 8 KiB of a comment.
  private static let headLimit = 16 << 10

  /// Reads the lines; nil if they are not those of a signature.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.comment) else { return nil }
    let lines = bytes.prefix(Self.headLimit).split(
      separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
    guard lines.count > 1, let packed = Self.decoded(lines[1]), packed.count == 74,
      let isPrehashed = ["Ed": false, "ED": true][String(decoding: packed.prefix(2), as: UTF8.self)]
    else { return nil }
    self.isPrehashed = isPrehashed
    number = Array(packed[2..<10])
    signature = Array(packed[10...])
    comment = Self.text(lines[0].dropFirst(Self.comment.count))
    guard lines.count > 2, lines[2].starts(with: Self.trusted) else {
      trusted = nil
      rest = Array(bytes.dropFirst(lines[0].count + lines[1].count + 2))
      return
    }
    // One blank follows the colon. Everything up to the line's end is signed.
    var said = Self.withoutReturn(lines[2].dropFirst(Self.trusted.count))
    if said.first == UInt8(ascii: " ") { said = said.dropFirst() }
    trusted = Trusted(comment: Array(said), signature: lines.dropFirst(3).first.flatMap(Self.decoded) ?? [])
    rest = Array(bytes.dropFirst(lines.prefix(4).reduce(0) { $0 + $1.count + 1 }))
  }

  /// The number as minisign shows it, which reads it on most machines with the last byte first.
  var shownNumber: String { Hexadecimal.encode(number.reversed()).uppercased() }

  /// What it says of itself.
  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    guard let found = MinisignSignature(bytes) else { return nil }
    guard let trusted = found.trusted else {
      // Behind its signature there is the text that is signed, or nothing.
      return OtherSignature(
        .signify,
        [.init("key", found.shownNumber), .init("comment", found.comment)]
          + (found.isFollowed ? [.init("content", "in it")] : []))
    }
    return OtherSignature(
      .minisign, [.init("key", found.shownNumber), .init("comment", text(trusted.comment[...]))])
  }

  /// Whether something else than blank lines is behind it.
  var isFollowed: Bool { rest.contains { ![0x0a, 0x0d, 0x20, 0x09].contains($0) } }

  private static func decoded(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    String(validating: withoutReturn(line), as: UTF8.self).flatMap { try? Base64.decode($0) }
  }

  /// Windows ends its lines with two characters.
  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == 0x0d ? line.dropLast() : line
  }

  private static func text(_ line: ArraySlice<UInt8>) -> String {
    let line = withoutReturn(line).drop { $0 == 0x20 }
    return String(decoding: line.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
  }
}
