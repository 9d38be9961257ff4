internal import SignetBase

/// Whether the dynamic linker finds every symbol that an image offers: it looks for each by its hash, in the filter, the bucket and the
/// chain that the hash names, and where a table misses one, what needs it is not loaded. A chain that comes back to itself would keep it
/// looking for good.
struct ELFHashCheck {
  private let symbols: ELFSymbols
  private let file: ELFFile

  /// - Throws: `elf.malformed`; `file.…` when the file cannot be read.
  static func run(_ tables: ELFHashTables, _ symbols: ELFSymbols, _ file: ELFFile) throws(SignetError) {
    let check = ELFHashCheck(symbols: symbols, file: file)
    if let table = tables.gnu { try check.run(table) }
    if let table = tables.classic { try check.run(table) }
  }

  private func run(_ table: ELFHashTables.GNU) throws(SignetError) {
    let bytes = try file.bytes(at: table.range.lowerBound, table.range.count)
    let buckets = 4 * ELFHashTables.wordSize + 8 * table.filterWords
    let chains = buckets + ELFHashTables.wordSize * table.buckets
    var count = 0
    for bucket in 0..<table.buckets {
      var symbol = Int(bytes.u32(buckets + ELFHashTables.wordSize * bucket))
      guard symbol > 0 else { continue }
      while true {
        guard symbol < table.end else { throw lost(symbol) }
        let word = bytes.u32(chains + ELFHashTables.wordSize * (symbol - table.first))
        let hash = Self.gnuHash(symbols[symbol].nameBytes)
        let filter = bytes.u64(4 * ELFHashTables.wordSize + 8 * (Int(hash / 64) & (table.filterWords - 1)))
        guard word | 1 == hash | 1, Int(hash) % table.buckets == bucket,
          filter >> UInt64(hash % 64) & filter >> UInt64(hash >> table.shift % 64) & 1 == 1
        else { throw lost(symbol) }
        count += 1
        if word & 1 == 1 { break }
        symbol += 1
      }
    }
    // Each stands in the chain of its own bucket, so none was counted twice.
    guard count == table.end - table.first else { throw lost(nil) }
    try checkOffered { (table.first..<table.end).contains($0) }
  }

  private func run(_ table: ELFHashTables.Classic) throws(SignetError) {
    let bytes = try file.bytes(at: table.range.lowerBound, table.range.count)
    let buckets = 2 * ELFHashTables.wordSize
    let chains = buckets + ELFHashTables.wordSize * table.buckets
    var isFound = [Bool](repeating: false, count: table.symbols)
    for bucket in 0..<table.buckets {
      var symbol = Int(bytes.u32(buckets + ELFHashTables.wordSize * bucket))
      while symbol != 0 {
        guard symbol < table.symbols, !isFound[symbol],
          Int(Self.hash(symbols[symbol].nameBytes)) % table.buckets == bucket
        else { throw lost(symbol) }
        isFound[symbol] = true
        symbol = Int(bytes.u32(chains + ELFHashTables.wordSize * symbol))
      }
    }
    try checkOffered { $0 < isFound.count && isFound[$0] }
  }

  private func checkOffered(_ isFound: (Int) -> Bool) throws(SignetError) {
    for number in symbols.indices where symbols[number].isDefined && symbols[number].isVisible {
      guard isFound(number) else { throw lost(number) }
    }
  }

  private func lost(_ symbol: Int?) -> SignetError {
    file.malformed(
      "has a hash table that does not find the library's own symbols",
      found: symbol.map { symbols.indices.contains($0) ? symbols[$0].name : "symbol \($0)" })
  }

  /// The hash of DT_GNU_HASH (Bernstein's, with 33).
  static func gnuHash(_ name: ArraySlice<UInt8>) -> UInt32 { name.reduce(5381) { $0 &* 33 &+ UInt32($1) } }

  /// The hash of DT_HASH and of versions (gABI, "Hash Table").
  static func hash(_ name: some Sequence<UInt8>) -> UInt32 {
    name.reduce(0) { hash, byte in
      let shifted = hash << 4 &+ UInt32(byte)
      let top = shifted & 0xf000_0000
      return (shifted ^ top >> 24) & ~top
    }
  }
}
