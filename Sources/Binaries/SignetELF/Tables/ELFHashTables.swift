internal import SignetBase

/// The hash tables in which symbols are looked up; only they tell the number of symbols.
///
/// Their forms are defined in gABI, "Hash Table", and for DT_GNU_HASH by the linkers.
struct ELFHashTables {
  /// The number of symbols, including the reserved first one.
  ///
  /// GNU's table does not include symbols that are only needed. If it is the only table, there may be more symbols.
  let symbolCount: Int
  let isExact: Bool
  /// The ranges of the tables in the file.
  var ranges: [Range<Int>] { [classic?.range, gnu?.range].compactMap { $0 } }
  let classic: Classic?
  let gnu: GNU?

  /// DT_HASH: two numbers, the first symbol of each bucket, and the next symbol for each symbol.
  struct Classic {
    let buckets: Int
    let symbols: Int
    let range: Range<Int>
  }

  /// DT_GNU_HASH: four numbers, a filter in words of 64 bits, the first symbol of each bucket, and a hash for each
  /// symbol from a certain one on.
  ///
  /// The lowest bit of a hash ends the chain.
  struct GNU {
    let buckets: Int
    /// The number of the first symbol in the table.
    let first: Int
    let filterWords: Int
    let shift: UInt32
    /// The number after the last symbol in the table.
    let end: Int
    let range: Range<Int>
  }

  static let wordSize = 4
  /// The number of bytes that are read at once to find the end of a chain, which is usually near.
  private static let pieceSize = 4096

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(_ dynamic: ELFDynamicTable, _ memory: ELFMemory, _ file: ELFFile) throws(SignetError) {
    classic = try dynamic[.hash].map { (address) throws(SignetError) in
      let head = try Self.head(at: address, words: 2, memory, file)
      let (buckets, symbols) = (Int(head.u32(0)), Int(head.u32(4)))
      try Self.checkCounts(symbols, buckets, file)
      return Classic(
        buckets: buckets, symbols: symbols,
        range: try Self.range(address, words: 2 + buckets + symbols, memory, file))
    }
    gnu = try dynamic[.gnuHash].map { (address) throws(SignetError) in try Self.gnu(address, memory, file) }
    guard classic != nil || gnu != nil else { throw file.malformed("has no table to find symbols by") }
    if let classic, let gnu, gnu.end > classic.symbols { throw file.malformed("has hash tables that disagree") }
    symbolCount = classic?.symbols ?? gnu?.end ?? 0
    isExact = classic != nil
  }

  private static func gnu(
    _ address: UInt64, _ memory: ELFMemory, _ file: ELFFile
  ) throws(SignetError) -> GNU {
    let head = try self.head(at: address, words: 4, memory, file)
    let (buckets, unhashed, filter) = (Int(head.u32(0)), Int(head.u32(4)), Int(head.u32(8)))
    try checkCounts(unhashed, buckets, file)
    // If the filter has another size, glibc ends the process.
    guard filter > 0, filter <= ELFSymbols.limit, filter & (filter - 1) == 0, head.u32(12) < 32 else {
      throw file.malformed("has a hash table with an invalid filter")
    }
    let words = 4 + 2 * filter
    let whole = try range(address, words: words + buckets, memory, file)
    let firsts = try file.bytes(at: whole.lowerBound + words * wordSize, buckets * wordSize)
    var last = 0
    for bucket in 0..<buckets {
      let first = Int(firsts.u32(bucket * wordSize))
      guard first == 0 || first >= unhashed else { throw file.malformed("has a hash table with a wrong bucket") }
      last = max(last, first)
    }
    let rest = memory.fileBytes(from: address) - whole.count
    let end = last > 0 ? try chainEnd(from: last, unhashed, at: whole.upperBound, rest, file) : unhashed
    return GNU(
      buckets: buckets, first: unhashed, filterWords: filter, shift: head.u32(12), end: end,
      range: whole.lowerBound..<whole.upperBound + (end - unhashed) * wordSize)
  }

  /// The number after the last symbol of the last chain.
  private static func chainEnd(
    from last: Int, _ unhashed: Int, at offset: Int, _ rest: Int, _ file: ELFFile
  ) throws(SignetError) -> Int {
    var symbol = last
    while symbol < ELFSymbols.limit {
      let start = (symbol - unhashed) * wordSize
      let words = min(min(pieceSize, rest - start) / wordSize, ELFSymbols.limit - symbol)
      guard words > 0 else { break }
      let piece = try file.bytes(at: offset + start, words * wordSize)
      for word in 0..<words {
        symbol += 1
        if piece.u32(word * wordSize) & 1 == 1 { return symbol }
      }
    }
    throw file.malformed("has a hash table with a chain that does not end", found: "symbol \(symbol)")
  }

  private static func checkCounts(_ symbols: Int, _ buckets: Int, _ file: ELFFile) throws(SignetError) {
    guard symbols <= ELFSymbols.limit, buckets <= ELFSymbols.limit else {
      throw file.malformed(
        "has too many symbols", expected: "at most \(ELFSymbols.limit)", found: "\(max(symbols, buckets))")
    }
  }

  private static func head(
    at address: UInt64, words: Int, _ memory: ELFMemory, _ file: ELFFile
  ) throws(SignetError) -> ELFBytes {
    let range = try range(address, words: words, memory, file)
    return try file.bytes(at: range.lowerBound, range.count)
  }

  private static func range(
    _ address: UInt64, words: Int, _ memory: ELFMemory, _ file: ELFFile
  ) throws(SignetError) -> Range<Int> {
    guard let offset = memory.offset(of: address, UInt64(words * wordSize)) else {
      throw file.malformed("has a hash table that is not in the file")
    }
    return offset..<offset + words * wordSize
  }
}

/// Checks that the dynamic linker finds every symbol that an image offers.
///
/// The linker looks for each symbol by its hash, in the filter, and in the bucket and chain that the hash determines.
/// If a table lacks a symbol, a library that needs it is not loaded. If a chain returns to itself, the linker would
/// search forever.
package struct ELFHashCheck {
  private let symbols: ELFSymbols
  private let file: ELFFile

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
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
    // Each symbol is in the chain of its own bucket, so none was counted twice.
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
  package static func gnuHash(_ name: ArraySlice<UInt8>) -> UInt32 { name.reduce(5381) { $0 &* 33 &+ UInt32($1) } }

  /// The hash of DT_HASH and of versions (gABI, "Hash Table").
  package static func hash(_ name: some Sequence<UInt8>) -> UInt32 {
    name.reduce(0) { hash, byte in
      let shifted = hash << 4 &+ UInt32(byte)
      let top = shifted & 0xf000_0000
      return (shifted ^ top >> 24) & ~top
    }
  }
}
