internal import SignetBase
internal import SignetCrypto

/// A table for people (`Format-Table`): a line with the names of columns in any order, one with dashes below them, and a line
/// for each object up to an empty one. What is too long for its column is cut, or goes on in the next line (`-Wrap`).
struct PowerShellTable {
  private let names: [String]
  /// The column of the digest, and that of the path.
  private let hash: Int
  private let path: Int?
  /// Where the columns begin in a line.
  private let starts: [Int]
  private var record: PowerShellRecord?

  /// The maximum number of bytes of a path that goes on.
  private static let pathLimit = 4096
  /// The maximum number of columns. Objects have a few properties.
  private static let columnLimit = 64
  /// The maximum number of words of which the path may be the first or the last ones.
  private static let wordLimit = 16

  /// What such tables in a text state.
  static func read(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> ChecksumStatements {
    var found = ChecksumStatements()
    var table: PowerShellTable?
    for (index, line) in lines.enumerated() {
      let next = index + 1 < lines.count ? lines[index + 1] : []
      if let new = PowerShellTable(line, dashes: next) {
        table?.record?.end(about: subject, &found)
        table = new
      } else if line.allSatisfy({ $0 == 0x20 }) {
        table?.record?.end(about: subject, &found)
        table = nil
      } else if table != nil, isOther(lines[index...], subject) {
        table?.end(about: subject, &found)
      } else if table?.read(line, number: index + 1, about: subject, into: &found) ?? false {
        found.lines.insert(index + 1)
      }
    }
    table?.record?.end(about: subject, &found)
    return found
  }

  /// Whether the first line names a function, as those of no table do.
  private static func isOther(_ lines: ArraySlice<ArraySlice<UInt8>>, _ subject: String?) -> Bool {
    var found = ChecksumStatements()
    return lines.first.map { TaggedChecksum.read($0, number: 0, about: subject, into: &found) } ?? false
      || CertUtilHashes.read(lines, number: 0, about: subject, into: &found)
  }

  private mutating func end(about subject: String?, _ found: inout ChecksumStatements) {
    record?.end(about: subject, &found)
    record = nil
  }

  /// - Parameter dashes: the line below the names.
  private init?(_ line: ArraySlice<UInt8>, dashes: ArraySlice<UInt8>) {
    guard dashes.contains(UInt8(ascii: "-")), dashes.allSatisfy({ $0 == UInt8(ascii: "-") || $0 == 0x20 }) else {
      return nil
    }
    let (words, rules) = (line.split(separator: 0x20), dashes.split(separator: 0x20))
    guard words.count == rules.count, words.count <= Self.columnLimit else { return nil }
    let names = words.map { String(decoding: $0, as: UTF8.self).lowercased() }
    guard let hash = names.firstIndex(where: { $0.isExactly("hash") }) else { return nil }
    (self.names, self.hash) = (names, hash)
    path = PowerShellRecord.pathNames.compactMap { name in names.firstIndex { $0.isExactly(name) } }.first
    starts = rules.map { $0.startIndex - dashes.startIndex }
  }

  /// - Returns: whether the line is one of the table, and of nothing else.
  private mutating func read(
    _ line: ArraySlice<UInt8>, number: Int, about subject: String?, into found: inout ChecksumStatements
  ) -> Bool {
    let words = line.split(separator: 0x20)
    guard !line.allSatisfy({ $0 == UInt8(ascii: "-") || $0 == 0x20 }), let first = words.first else { return false }
    if continues(line, words) { return true }
    end(about: subject, &found)
    // A line of another form may follow right away.
    let isPlain = PlainChecksum.isPlain(line)
    guard !isPlain || hash == 0 && ChecksumDigits.digest(first) != nil, let place = Self.hash(in: words, from: hash)
    else { return false }
    var new = PowerShellRecord(line: number)
    new.hash = Array(words[place])
    new.isPlain = isPlain
    new.isPathUnsure = path.map { !names[$0].isExactly("path") } ?? false
    fill(&new, columns: 0..<hash, with: Array(words[..<place]), of: line)
    fill(&new, columns: (hash + 1)..<names.count, with: Array(words[(place + 1)...]), of: line)
    if isPlain {
      if path == nil {
        new.isPathMissing = hasNoName(words)
      } else if new.path.isEmpty {
        new.others = others(words, line)
      }
    }
    record = new
    return !isPlain
  }

  /// Whether the words behind a digest are numbers and functions, as the columns are to have.
  private func hasNoName(_ words: [ArraySlice<UInt8>]) -> Bool {
    words.count == names.count
      && zip(names, words).dropFirst().allSatisfy { name, word in
        name.isExactly("length") && word.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
          || name.isExactly("algorithm")
            && DigestAlgorithm.allCases.contains { word.elementsEqual($0.rawValue.uppercased().utf8) }
      }
  }

  /// What may be the path behind a digest, if other columns have blanks, too: the last words, or the first ones.
  private func others(_ words: [ArraySlice<UInt8>], _ line: ArraySlice<UInt8>) -> [String] {
    guard words.count > 2, let start = words.dropFirst().first?.startIndex, let end = words.last?.endIndex else {
      return []
    }
    let runs =
      path == names.count - 1
      ? words.dropFirst(2).suffix(Self.wordLimit).map { line[$0.startIndex..<end] }
      : words.dropFirst().dropLast().prefix(Self.wordLimit).reversed().map { line[start..<$0.endIndex] }
    return runs.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Takes what a line has of the object before it.
  ///
  /// - Returns: whether the line has nothing else.
  private mutating func continues(_ line: ArraySlice<UInt8>, _ words: [ArraySlice<UInt8>]) -> Bool {
    guard let count = record?.path.count, count < Self.pathLimit, let first = words.first, starts.count > 1,
      first.startIndex - line.startIndex >= starts[1], !words.contains(where: Self.isDigest),
      !PlainChecksum.isPlain(line)
    else { return false }
    var rest = words[...]
    if first.startIndex - line.startIndex == starts[hash], first.allSatisfy({ ChecksumDigits.isHexadecimal($0) }) {
      record?.hash += first
      rest = rest.dropFirst()
    }
    if let start = rest.first?.startIndex, let end = rest.last?.endIndex {
      // A path goes on in the middle of a name, or behind a blank.
      if record?.spacedPath == nil {
        let path = record?.path
        record?.spacedPath = path
      }
      record?.spacedPath?.append(0x20)
      record?.spacedPath? += line[start..<end]
      record?.path += line[start..<end]
    }
    return true
  }

  /// Whether a word is a digest, also one before an escaped name.
  private static func isDigest(_ word: ArraySlice<UInt8>) -> Bool {
    ChecksumDigits.digest(word.first == UInt8(ascii: "\\") ? word.dropFirst() : word) != nil
  }

  /// The place of the digest: the first word that is one, in its column or behind it, as there may be blanks before it.
  private static func hash(in words: [ArraySlice<UInt8>], from column: Int) -> Int? {
    let places = words.indices.dropFirst(column)
    return places.first { ChecksumDigits.digest(words[$0]) != nil }
      ?? places.first { place in
        let digits = words[place].prefix { ChecksumDigits.isHexadecimal($0) }.count
        return digits >= 16 && digits == words[place].count || digits >= 8 && ChecksumDigits.isCut(words[place])
      }
  }

  /// Divides words among columns. If there are more of them, those with blanks are one column's; if that can be several ones,
  /// the path is where it begins as whole paths do.
  private func fill(
    _ record: inout PowerShellRecord, columns: Range<Int>, with words: [ArraySlice<UInt8>],
    of line: ArraySlice<UInt8>
  ) {
    var (columns, words) = (columns, words[...])
    func take(_ column: Int, _ word: ArraySlice<UInt8>) {
      if names[column].isExactly("algorithm") { record.algorithm = String(decoding: word, as: UTF8.self) }
    }
    while let column = columns.first, isOneWord(column), let word = words.popFirst() {
      take(column, word)
      columns = columns.dropFirst()
    }
    while let column = columns.last, isOneWord(column), words.count >= columns.count, let word = words.popLast() {
      take(column, word)
      columns = columns.dropLast()
    }
    guard let path, columns.contains(path) else { return }
    var first = words.startIndex + path - columns.lowerBound
    var end = first + 1
    if words.count > columns.count {
      if columns.count > 1 {
        guard path == columns.last, let start = words.indices.first(where: { $0 >= first && Self.isWhole(words[$0]) })
        else { return }
        first = start
      }
      end = words.endIndex
    }
    guard end <= words.endIndex else { return }
    record.path = Array(line[words[first].startIndex..<words[end - 1].endIndex])
  }

  /// Whether the values of a column have no blanks.
  private func isOneWord(_ column: Int) -> Bool {
    ["algorithm", "length"].contains { names[column].isExactly($0) }
  }

  /// Whether a word begins as a whole path does.
  private static func isWhole(_ word: ArraySlice<UInt8>) -> Bool {
    let word = Array(word.prefix(3))
    return word.first == UInt8(ascii: "/") || word.starts(with: "\\\\".utf8)
      || word.count == 3 && word[1] == UInt8(ascii: ":") && word[2] == UInt8(ascii: "\\")
  }
}
