internal import SignetBase

/// The number of dynamic symbols, which the dynamic table does not state.
///
/// It follows from the hash tables. If a library offers no symbols, GNU's hash table says nothing, and the section
/// headers have to do.
struct ELFSymbolCount {
  /// The maximum number of symbols that are looked at; the largest libraries have some hundred thousand.
  static let limit = 1 << 20
  private static let entrySize = 4
  /// DT_MIPS_SYMTABNO.
  private static let mipsCount: UInt64 = 0x7000_0011

  private let linking: ELFLinkingTable
  private let segments: ELFSegmentTable
  private let file: ELFFile
  private let processor: ELFProcessor

  init(linking: ELFLinkingTable, segments: ELFSegmentTable, file: ELFFile, processor: ELFProcessor) {
    self.linking = linking
    self.segments = segments
    self.file = file
    self.processor = processor
  }

  /// The number of symbols; nil if it is not known, or more than the limit.
  ///
  /// - Throws: `file.…` if the file cannot be read.
  func find(_ sections: ELFSections) throws(SignetError) -> Int? {
    if processor.isMIPS, let count = linking.value(of: Self.mipsCount) { return Self.bounded(count) }
    if let table = linking[.hash].flatMap(segments.range(from:)) { return try classic(table) }
    if let table = linking[.gnuHash].flatMap(segments.range(from:)), let count = try gnu(table) { return count }
    guard let stated = sections.dynamicSymbols, stated.address == linking[.symbols] else { return nil }
    return Self.bounded(UInt64(stated.count))
  }

  private static func bounded(_ count: UInt64) -> Int? { count <= UInt64(limit) ? Int(count) : nil }

  /// The number in DT_HASH: there are as many chains as symbols.
  private func classic(_ table: Range<Int>) throws(SignetError) -> Int? {
    let size = processor.hasWideHashTable ? 8 : Self.entrySize
    guard table.count >= 2 * size else { return nil }
    let head = try file.numbers(at: table.lowerBound, 2 * size, processor.form)
    return Self.bounded(size == 8 ? head.u64(8) : UInt64(head.u32(4)))
  }

  /// The number after the last symbol in DT_GNU_HASH; nil if the table has none.
  private func gnu(_ table: Range<Int>) throws(SignetError) -> Int? {
    let headSize = 4 * Self.entrySize
    guard table.count >= headSize else { return nil }
    let head = try file.numbers(at: table.lowerBound, headSize, processor.form)
    let (buckets, first, filter) = (Int(head.u32(0)), Int(head.u32(4)), Int(head.u32(8)))
    guard buckets <= Self.limit, first <= Self.limit, filter <= Self.limit else { return nil }
    let firsts = headSize + filter * processor.form.wordSize
    let chains = firsts + buckets * Self.entrySize
    guard chains <= table.count else { return nil }
    var last = 0
    try entries(from: table.lowerBound + firsts, to: table.lowerBound + chains) { bucket in
      last = max(last, Int(bucket))
      return true
    }
    guard last >= first, last > 0, last <= Self.limit else { return nil }
    let (start, rest) = (chains + (last - first) * Self.entrySize, Self.limit - last)
    guard start <= table.count else { return nil }
    let end = min(table.count, start + rest * Self.entrySize)
    var isEnded = false
    var count = last
    try entries(from: table.lowerBound + start, to: table.lowerBound + end) { chain in
      count += 1
      isEnded = chain & 1 == 1
      return !isEnded
    }
    return isEnded ? count : nil
  }

  /// Calls `body` for each number in a range of the file, until it returns false.
  private func entries(from start: Int, to end: Int, _ body: (UInt32) -> Bool) throws(SignetError) {
    var place = start
    while end - place >= Self.entrySize {
      let count = min(ELFFile.pieceSize, (end - place) / Self.entrySize * Self.entrySize)
      let numbers = try file.numbers(at: place, count, processor.form)
      for offset in stride(from: 0, to: count, by: Self.entrySize) where !body(numbers.u32(offset)) { return }
      place += count
    }
  }
}
