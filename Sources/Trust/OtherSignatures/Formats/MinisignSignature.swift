internal import SignetBase

/// Signatures of minisign and signify: a comment that nobody has signed, then base64 of `Ed` (or `ED`: over a digest), the
/// key's number and the signature. minisign adds a comment that the key has signed, and that second signature.
enum MinisignSignature {
  private static let comment = "untrusted comment:"
  private static let trusted = "trusted comment:"

  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    guard bytes.starts(with: comment.utf8) else { return nil }
    let lines = bytes.prefix(4096).split(
      separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
    guard lines.count > 1, let signature = try? Base64.decode(trimmed(lines[1])), signature.count == 74,
      signature.starts(with: Array("Ed".utf8)) || signature.starts(with: Array("ED".utf8))
    else { return nil }
    let said = trimmed(String(lines[0].dropFirst(comment.count)))
    guard lines.count > 2, lines[2].hasPrefix(trusted) else {
      // Behind its signature there is the text that is signed, or nothing.
      let isBefore = lines.dropFirst(2).contains { !$0.isEmpty }
      return OtherSignature(
        .signify,
        [.init("key", Hexadecimal.encode(Array(signature[2..<10]))), .init("comment", said)]
          + (isBefore ? [.init("content", "in it")] : []))
    }
    // minisign shows the number as it reads it on most machines: the last byte first.
    return OtherSignature(
      .minisign,
      [
        .init("key", Hexadecimal.encode(signature[2..<10].reversed()).uppercased()),
        .init("comment", trimmed(String(lines[2].dropFirst(trusted.count)))),
      ])
  }

  private static func trimmed(_ line: String) -> String {
    String(line.drop { $0 == " " }.reversed().drop { $0 == " " || $0 == "\r" }.reversed())
  }
}
