internal import SignetBase
internal import SignetCrypto

/// The binary targets of a package of SwiftPM: a `url`, and after it the `checksum` of what is there, the SHA-256 of a ZIP
/// (PackageDescription, `binaryTarget(name:url:checksum:)`).
///
/// Only texts that stand there as they are can be compared: a manifest is a program.
enum BinaryTargets {
  /// Reads the checksums.
  static func read(_ text: [UInt8]) -> [StatedChecksum] {
    var found: [StatedChecksum] = []
    var address: String?
    for (index, line) in text.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
      let code = line.drop { $0 == 0x20 || $0 == 0x09 }
      guard !code.starts(with: "//".utf8) else { continue }
      if let url = literal(after: "url:", in: code) { address = String(decoding: url, as: UTF8.self) }
      guard let digits = literal(after: "checksum:", in: code), let url = address,
        let digest = ChecksumLines.digest(digits), digest.algorithm == .sha256
      else { continue }
      found.append(
        StatedChecksum(
          name: FileAddress.fileName(of: url), digest: digest, line: index + 1, mayBeElsewhere: true,
          function: .sha2))
      address = nil
    }
    return found
  }

  /// The text between quotes after a label.
  private static func literal(after label: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let label = Array(label.utf8)
    guard line.count > label.count,
      let start = line.indices.dropLast(label.count).first(where: { line[$0...].starts(with: label) })
    else { return nil }
    let rest = line[(start + label.count)...].drop { $0 == 0x20 || $0 == 0x09 }
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    let text = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
    return text.endIndex < rest.endIndex ? text : nil
  }
}
