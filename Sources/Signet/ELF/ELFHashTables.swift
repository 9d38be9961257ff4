internal import SignetCrypto

/// The hash tables that symbols are found by: nothing else says how many there are (gABI, "Hash Table"; for DT_GNU_HASH
/// the linkers, whose form it is).
struct ELFHashTables {
  /// How many symbols there are, the first, which is none, among them. Symbols that are merely needed do not stand in
  /// GNU's table: where there is no other, they may be more.
  let symbolCount: Int
  let isExact: Bool
  /// Where the tables are in the file.
  private(set) var ranges: [Range<Int>] = []

  private static let wordSize = 4
  /// Bytes that are read at once while a chain's end is looked for, which mostly is near.
  private static let pieceSize = 4096

  /// - Throws: `elf.malformed`; `file.…` when the file cannot be read.
  init(_ dynamic: ELFDynamicTable, _ memory: ELFMemory, _ file: ELFFile) throws(SignetError) {
    var exact: Int?
    if let address = dynamic[.hash] {
      let head = try Self.head(address, 2, memory, file)
      let (buckets, symbols) = (Int(head.u32(0)), Int(head.u32(4)))
      try Self.check(symbols, buckets, file)
      exact = symbols
      ranges.append(try Self.range(address, words: 2 + buckets + symbols, memory, file))
    }
    var least = 0
    if let address = dynamic[.gnuHash] {
      let (count, range) = try Self.gnu(address, memory, file)
      least = count
      ranges.append(range)
    }
    guard !ranges.isEmpty else { throw file.malformed("has no table to find symbols by") }
    guard exact == nil || least <= exact ?? 0 else { throw file.malformed("has hash tables that disagree") }
    symbolCount = exact ?? least
    isExact = exact != nil
  }

  /// The number of symbols that GNU's table knows, and its place. In front of the chains stand four numbers, a filter in
  /// words of 64 bits, and for each bucket its first symbol; a chain's last word is odd.
  private static func gnu(
    _ address: UInt64, _ memory: ELFMemory, _ file: ELFFile
  ) throws(SignetError) -> (count: Int, range: Range<Int>) {
    let head = try self.head(address, 4, memory, file)
    let (buckets, unhashed, filter) = (Int(head.u32(0)), Int(head.u32(4)), Int(head.u32(8)))
    try check(unhashed, buckets, file)
    // glibc ends the process when the filter has another size.
    guard filter > 0, filter <= ELFSymbols.limit, filter & (filter - 1) == 0, head.u32(12) < 32 else {
      throw file.malformed("has a hash table whose filter cannot be")
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
    guard last > 0 else { return (unhashed, whole) }
    let rest = memory.fileBytes(from: address) - whole.count
    let count = try chainEnd(from: last, unhashed, at: whole.upperBound, rest, file)
    return (count, whole.lowerBound..<whole.upperBound + (count - unhashed) * wordSize)
  }

  /// The number behind the last symbol of the last chain.
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

  private static func check(_ symbols: Int, _ buckets: Int, _ file: ELFFile) throws(SignetError) {
    guard symbols <= ELFSymbols.limit, buckets <= ELFSymbols.limit else {
      throw file.malformed(
        "has too many symbols", expected: "at most \(ELFSymbols.limit)", found: "\(max(symbols, buckets))")
    }
  }

  private static func head(
    _ address: UInt64, _ words: Int, _ memory: ELFMemory, _ file: ELFFile
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
