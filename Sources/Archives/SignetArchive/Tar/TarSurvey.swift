package import SignetBase
internal import SignetNames
package import SignetSystem

/// Whether a tar that another program made means the same to every reader.
///
/// ``TarReader`` accepts one form of tars. Here GNU's and the old ones pass, too, with long names, global headers and
/// sparse files. What two readers could cut into entries in two ways is refused: sizes that contradict each other, and
/// bytes that belong to nothing.
package struct TarSurvey {
  private let source: any ByteSource
  private var position = 0
  /// What the extended header before an entry says of its size.
  private var extendedSize: Int?
  private var isAfterExtended = false
  /// Whether an extended header has given the next entry another name.
  private var isRenamed = false
  /// Whether an extended header says that the next entry has holes: a map is before its content then.
  private var hasMap = false
  /// Where the contents of entries are.
  private var contents: [Range<Int>] = []

  /// The maximum size of an extended header that is read. Longer ones are only passed by libarchive, too.
  private static let recordsLimit = 1 << 20

  /// Checks a tar that is not compressed.
  ///
  /// - Returns: where the contents of entries are that every program gives out.
  /// - Throws: `archive.tar-header`, `archive.truncated`, `archive.trailing-data`, `archive.gap`, and what reading
  ///   throws.
  @discardableResult package static func check(_ source: any ByteSource) throws(SignetError) -> [Range<Int>] {
    var survey = TarSurvey(source: source)
    while try survey.passEntry() {}
    return survey.contents
  }

  private init(source: any ByteSource) { self.source = source }

  /// - Returns: false at the end of the archive.
  private mutating func passEntry() throws(SignetError) -> Bool {
    let start = position
    let block = try bytes(TarField.blockSize)
    guard !block.allSatisfy({ $0 == 0 }) else {
      try checkZeros()
      return false
    }
    guard ZIPPolyglot.isTarHeader(block) else { throw damaged(start, "has a wrong checksum") }
    let size = try number(block[TarField.size], start)
    let type = block[TarField.type]
    switch type {
    case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "g"):
      guard !isAfterExtended || type == UInt8(ascii: "g") else { throw damaged(start, "is extended twice") }
      try readRecords(size, start, isGlobal: type == UInt8(ascii: "g"))
    case UInt8(ascii: "L"), UInt8(ascii: "K"): try pass(size, start)
    default: try passContent(of: block, size, start)
    }
    return true
  }

  private mutating func passContent(of block: [UInt8], _ size: Int, _ start: Int) throws(SignetError) {
    var size = size
    if let extended = extendedSize {
      guard [extended, 0].contains(size) || size >= TarField.largestNumber else {
        throw damaged(start, "has two sizes", expected: "\(extended)", found: "\(size)")
      }
      size = extended
    }
    // Programs that do not know extended headers use the name in the header itself.
    if isRenamed, let danger = PathDanger.of(ListedName(LenientTar.name(in: block)).relative) { throw danger }
    let isPlain = !hasMap && !Self.isRecord(block[TarField.type])
    (extendedSize, isAfterExtended, isRenamed, hasMap) = (nil, false, false, false)
    // Links, devices, directories and pipes: some readers pass content behind them, and others do not.
    let isWithout = (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(block[TarField.type])
    guard !isWithout || size == 0 else {
      throw damaged(start, "has content, but is not a file", expected: "0", found: "\(size)")
    }
    // GNU's map of a sparse file goes on in blocks of their own.
    if block[TarField.type] == UInt8(ascii: "S"), block[482] != 0 {
      while try bytes(TarField.blockSize)[504] != 0 {}
    }
    if isPlain, size > 0 { contents.append(position..<position + min(size, source.size - position)) }
    try pass(size, start)
  }

  /// Whether the content of an entry is a label of GNU's or a list of permissions of Solaris, which is no file's.
  private static func isRecord(_ type: UInt8) -> Bool { type == UInt8(ascii: "V") || type == UInt8(ascii: "A") }

  private mutating func readRecords(_ size: Int, _ start: Int, isGlobal: Bool) throws(SignetError) {
    guard size <= Self.recordsLimit else {
      throw damaged(start, "is an extended header that is too large", found: "\(size) bytes")
    }
    let records = try bytes(size)
    try checkPadding(behind: size, start)
    var seen: Set<[UInt8]> = []
    var rest = records[...]
    while !rest.isEmpty {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let length = Self.decimal(digits), length <= rest.count, length > digits.count + 2,
        rest.prefix(length).last == UInt8(ascii: "\n"),
        let equals = rest.prefix(length).firstIndex(of: UInt8(ascii: "="))
      else { throw damaged(start, "has a record that does not end where it says") }
      let key = Array(rest[(digits.endIndex + 1)..<max(equals, digits.endIndex + 1)])
      let value = rest.prefix(length)[(equals + 1)...].dropLast()
      rest = rest.dropFirst(length)
      let isStructural = ["path", "linkpath", "size"].contains { key.elementsEqual($0.utf8) }
      guard !isStructural || !isGlobal && seen.insert(key).inserted else {
        throw damaged(start, "has a record twice, or for all entries", found: String(decoding: key, as: UTF8.self))
      }
      if key.elementsEqual("path".utf8) { isRenamed = true }
      if key.starts(with: "GNU.sparse.".utf8) { hasMap = true }
      guard !value.contains(0) || !isStructural else { throw damaged(start, "has a value with NUL in it") }
      guard key.elementsEqual("size".utf8) else { continue }
      guard let number = Self.decimal(value) else { throw damaged(start, "has a size that is not a number") }
      extendedSize = number
    }
    if !isGlobal { isAfterExtended = true }
  }

  private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...18).contains(digits.count), digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// A number in octal digits, or in GNU's binary form.
  private func number(_ field: ArraySlice<UInt8>, _ start: Int) throws(SignetError) -> Int {
    if field.first == 0x80 {
      let value = field.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard field.dropFirst().prefix(4).allSatisfy({ $0 == 0 }), value <= UInt64(Int.max) else {
        throw damaged(start, "has a size that no file can have")
      }
      return Int(value)
    }
    let digits = field.drop { $0 == 0x20 }.prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    let rest = field.drop { $0 == 0x20 }.dropFirst(digits.count)
    guard rest.allSatisfy({ $0 == 0 || $0 == 0x20 }) else { throw damaged(start, "has a size that is not a number") }
    return digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
  }

  private mutating func pass(_ size: Int, _ start: Int) throws(SignetError) {
    guard size <= source.size - position else { throw truncated() }
    position += size
    try checkPadding(behind: size, start)
  }

  private mutating func checkPadding(behind size: Int, _ start: Int) throws(SignetError) {
    guard try bytes(TarField.padding(behind: size)).allSatisfy({ $0 == 0 }) else {
      throw SignetError(
        .archiveGap, "header at \(start)", "has bytes between its content and the next header", expected: "zeros")
    }
  }

  private mutating func checkZeros() throws(SignetError) {
    while position < source.size {
      guard try bytes(min(64 << 10, source.size - position)).allSatisfy({ $0 == 0 }) else {
        throw SignetError(
          .archiveTrailingData, source.path, "has bytes after its end", expected: "zeros, or nothing",
          found: "other bytes before offset \(position)")
      }
    }
  }

  private mutating func bytes(_ count: Int) throws(SignetError) -> [UInt8] {
    guard count <= source.size - position else { throw truncated() }
    position += count
    return count == 0 ? [] : try source.bytes(in: position - count..<position)
  }

  private func truncated() -> SignetError {
    SignetError(
      .archiveTruncated, source.path, "ends before its content does",
      hint: "get the archive again from its publisher")
  }

  private func damaged(
    _ start: Int, _ message: String, expected: String? = nil, found: String? = nil
  ) -> SignetError {
    SignetError(
      .archiveTarHeader, "header at \(start)", message, expected: expected, found: found, hint: TarHint.repack)
  }
}
