internal import SignetBase

/// The first block of a label between lines with dashes: PEM (RFC 7468), and OpenPGP's and SSH's forms of it.
struct ArmoredBlock {
  /// What the base64 stands for.
  let bytes: [UInt8]

  /// - Returns: nil if there is no such block, or it is not base64.
  init?(_ label: String, in text: [UInt8]) {
    guard let start = text.firstRange(of: Array("-----BEGIN \(label)-----".utf8)),
      let end = text[start.upperBound...].firstRange(of: Array("-----END \(label)-----".utf8))
    else { return nil }
    var lines = text[start.upperBound..<end.lowerBound].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).dropFirst().map { line in line.filter { $0 > 0x20 } }
    // OpenPGP's headers end with an empty line; base64 has no colon.
    if let last = lines.lastIndex(where: { $0.contains(UInt8(ascii: ":")) }) { lines.removeFirst(last + 1) }
    // OpenPGP's checksum is a line of its own.
    let base64 = lines.filter { $0.first != UInt8(ascii: "=") }.joined()
    guard let bytes = try? Base64.decode(String(decoding: Array(base64), as: UTF8.self)) else { return nil }
    self.bytes = bytes
  }
}
