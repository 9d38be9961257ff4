import SignetBase

@testable import SignetArchive
@testable import SignetCrypto
@testable import SignetNames
@testable import SignetSystem

/// Tars, whose reader is no public interface.
enum FedTars {
  /// Whatever the bytes are, reading them ends. What is read is written again as what was read, and every file's bytes
  /// are there.
  static func feed(_ bytes: [UInt8]) {
    var limits = ArchiveLimits()
    limits.totalSize = 1 << 22
    let source = BytesInMemory(bytes, path: "fed")
    if let compression = try? TarCompression(of: source) {
      var count = 0
      try? DecompressionFilter.decompress(source, compression: compression, limits: limits) {
        (piece) throws(SignetError) in
        count += piece.count
      }
      require(count <= limits.totalSize, "more came out than may")
    }
    feedPlain(bytes, limits)
    feedPlain(mended(bytes), limits)
  }

  /// With its checksums set right, so that the fields behind them are reached.
  private static func mended(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for start in stride(from: 0, through: bytes.count - 512, by: 512) where bytes[start + 257] == UInt8(ascii: "u") {
      let digits = String(TarField.sum(of: Array(bytes[start..<start + 512])), radix: 8)
      let text = String(repeating: "0", count: 6 - digits.utf8.count) + digits + "\u{0} "
      bytes.replaceSubrange(start + 148..<start + 156, with: Array(text.utf8))
    }
    return bytes
  }

  private static func feedPlain(_ bytes: [UInt8], _ limits: ArchiveLimits) {
    let source = BytesInMemory(bytes, path: "fed")
    guard let entries = try? TarReader.entries(of: source, limits) else { return }
    let reader = EntryReader(source)
    var writer = TarWriter(time: UnixTime(seconds: 0))
    var written: [UInt8] = []
    for entry in entries {
      guard let data = try? reader.bytes(entry.data, size: entry.data.storedSize, path: entry.path) else {
        return require(false, "an entry has no bytes")
      }
      written += writer.header(path: entry.path, content: entry.content, permissions: entry.mode.bits)
      written += data + TarWriter.padding(behind: data.count)
    }
    written += writer.end()
    let again = try? TarReader.entries(of: BytesInMemory(written, path: "written"), limits)
    require(again?.map(\.path) == entries.map(\.path), "the paths changed")
    require(again?.map(\.content) == entries.map(\.content), "what the entries are changed")
    require(again?.map(\.mode) == entries.map(\.mode), "the modes changed")
  }
}
