internal import SignetBase
internal import SignetCrypto

/// The checksums of Debian's control files: `.dsc`, `.changes`, `.buildinfo` and `Release` (Debian Policy, section 5.6.24;
/// Debian's repository format, "Release files"). Below a field such as `Checksums-Sha256:`, each line has a digest, a size
/// and a name.
enum DebianControl {
  private static let fields = ["checksums-sha256:", "checksums-sha512:", "sha256:", "sha512:"].map { Array($0.utf8) }

  /// Reads a file. It may name files of an archive that this release does not have.
  static func read(_ text: [UInt8]) -> ChecksumStatements {
    let ends = text.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
      line.last == 0x0d ? line.dropLast() : line
    }
    var found = ChecksumStatements()
    var byteCount: Int?
    for (index, line) in ClearSignedText.read(ends).lines.enumerated() {
      guard line.first == 0x20 || line.first == 0x09 else {
        let name = ChecksumText.trimmed(line).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        byteCount = fields.contains(name) ? (name.suffix(4).elementsEqual("256:".utf8) ? 32 : 64) : nil
        continue
      }
      let words = line.split { $0 == 0x20 || $0 == 0x09 }
      guard let byteCount, words.count == 3 else { continue }
      guard let digest = ChecksumDigits.digest(words[0]), digest.bytes.count == byteCount else {
        found.unread.append((index + 1, String(decoding: words[0].prefix(128), as: UTF8.self)))
        continue
      }
      found.stated.append(
        StatedChecksum(
          name: String(decoding: words[2], as: UTF8.self), digest: digest, line: index + 1, mayBeElsewhere: true,
          function: .sha2))
    }
    return found
  }
}
