package import SignetBase
package import SignetSystem

/// The textual encoding of keys (RFC 7468), read in memory that is wiped because the text may be a private key.
///
/// Text outside the blocks is allowed, as `openssl` writes it. Within a block only base64 lines are allowed.
package struct PEM {
  /// The label in the block's first line, such as `PUBLIC KEY`.
  package let label: String
  /// The decoded content.
  package let content: SecretBytes

  /// Whether the label names a certificate; there are several such labels in use (RFC 7468, section 5.1).
  var isCertificate: Bool { label.hasSuffix("CERTIFICATE") }
  /// Whether the label names a private key of any kind.
  var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)

  /// Whether the text contains a line that begins a block.
  package static func isPresent(in text: SecretBytes) -> Bool {
    text.withBytes { text in lines(of: text).contains { starts(text, $0, with: begin) } }
  }

  /// Reads every block of the text, in order.
  ///
  /// - Throws: `key.malformed` if a block does not end, ends under another label, or holds anything except canonical
  ///   base64; `key.encryption-unsupported` for the headers of OpenSSL's traditional encryption.
  package static func blocks(of text: SecretBytes) throws(SignetError) -> [PEM] {
    try text.withBytes { (text) throws(SignetError) in
      var blocks: [PEM] = []
      var label: String?
      var body = 0..<0
      for line in lines(of: text) {
        if let open = label {
          if starts(text, line, with: end) {
            guard self.label(of: text, line, end) == open else { throw malformed("a block ends under another label") }
            blocks.append(PEM(label: open, content: try decode(text, body)))
            label = nil
          } else {
            if starts(text, line, with: Array("Proc-Type:".utf8)) { throw traditionalEncryption }
            body = body.lowerBound..<line.upperBound
          }
        } else if starts(text, line, with: begin) {
          guard let name = self.label(of: text, line, begin) else { throw malformed("a damaged first line") }
          label = name
          body = line.upperBound..<line.upperBound
        }
      }
      guard label == nil else { throw malformed("a block does not end") }
      return blocks
    }
  }

  /// Encodes a block, with lines of 64 characters.
  package static func encode(_ label: String, _ content: SecretBytes) -> SecretBytes {
    let lineEnds = content.count / 48 + 2
    let capacity = (content.count + 2) / 3 * 4 + lineEnds + 2 * (label.utf8.count + 17)
    return SecretBytes.build(capacity: capacity) { append in
      for byte in "-----BEGIN \(label)-----\n".utf8 { append(byte) }
      var column = 0
      content.withBytes { bytes in
        Base64.encode(bytes) { character in
          append(character)
          column += 1
          if column == 64 {
            append(UInt8(ascii: "\n"))
            column = 0
          }
        }
      }
      if column > 0 { append(UInt8(ascii: "\n")) }
      for byte in "-----END \(label)-----\n".utf8 { append(byte) }
    }
  }

  /// The ranges of the lines, without the line ends.
  private static func lines(of text: Span<UInt8>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for index in 0..<text.count where text[index] == UInt8(ascii: "\n") {
      lines.append(start..<index)
      start = index + 1
    }
    lines.append(start..<text.count)
    return lines
  }

  private static func starts(_ text: Span<UInt8>, _ line: Range<Int>, with prefix: [UInt8]) -> Bool {
    guard line.count >= prefix.count else { return false }
    for index in 0..<prefix.count where text[line.lowerBound + index] != prefix[index] { return false }
    return true
  }

  private static func label(of text: Span<UInt8>, _ line: Range<Int>, _ prefix: [UInt8]) -> String? {
    var rest: [UInt8] = []
    for index in line.dropFirst(prefix.count) { rest.append(text[index]) }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    guard rest.count > dashes.count, Array(rest.suffix(dashes.count)) == dashes else { return nil }
    return String(decoding: rest.dropLast(dashes.count), as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }

  private static func decode(_ text: Span<UInt8>, _ body: Range<Int>) throws(SignetError) -> SecretBytes {
    let characters = SecretBytes.build(capacity: body.count) { append in
      for index in body where !isSpace(text[index]) { append(text[index]) }
    }
    do throws(SignetError) {
      return try SecretBytes.build(capacity: characters.count / 4 * 3) { (append) throws(SignetError) in
        try characters.withBytes { (characters) throws(SignetError) in
          try Base64.decode(characters, append: append)
        }
      }
    } catch {
      throw SignetError(
        .keyMalformed, "key", "a block is not base64", cause: error,
        hint: "copy the key again, as its program wrote it")
    }
  }

  private static func malformed(_ what: String) -> SignetError {
    SignetError(
      .keyMalformed, "key", what, expected: "PEM (RFC 7468)", hint: "copy the key again, as its program wrote it")
  }

  private static var traditionalEncryption: SignetError {
    SignetError(
      .keyEncryptionUnsupported, "key", "OpenSSL's traditional encryption derives the key with one round of MD5",
      expected: "PKCS#8 with PBES2",
      hint: "convert it: openssl pkcs8 -topk8 -in OLD -out NEW")
  }
}
