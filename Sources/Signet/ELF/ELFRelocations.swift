internal import SignetCrypto

/// What relocations say about symbols (gABI, "Relocation"; elf(5), Rela).
enum ELFRelocations {
  private static let entrySize = 24
  /// Entries that are read at once: 48 KiB.
  private static let pieceCount = 2048

  /// The number behind the last symbol that any of the relocations refers to. The dynamic linker looks up those symbols,
  /// whatever the hash tables say.
  ///
  /// - Throws: `elf.malformed`; `file.…` when the file cannot be read.
  static func symbolCount(_ tables: [Range<Int>], _ file: ELFFile) throws(SignetError) -> Int {
    var count = 0
    for table in tables {
      for start in stride(from: table.lowerBound, to: table.upperBound, by: pieceCount * entrySize) {
        let piece = try file.bytes(at: start, min(pieceCount * entrySize, table.upperBound - start))
        for entry in stride(from: 0, to: piece.count, by: entrySize) {
          // r_info: the type below, the symbol above.
          count = max(count, Int(piece.u32(entry + 12)) + 1)
        }
      }
    }
    guard count <= ELFSymbols.limit else {
      throw file.malformed("has relocations of symbols that cannot be", expected: "at most \(ELFSymbols.limit)")
    }
    return count
  }
}
