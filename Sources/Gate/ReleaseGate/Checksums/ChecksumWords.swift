internal import SignetBase
internal import SignetCrypto

/// Lines that no program reads, and people compare: a name and a digest in any order, such as `NAME: HEX`,
/// `sha256:HEX  NAME` and rows of a table in Markdown. And what GnuPG prints for `--print-md`: the digits in groups, over several
/// lines.
///
/// Which word is the name cannot be told, so each is one that the line may mean. A line without a name of the release is
/// passed over: it may be a text.
enum ChecksumWords {
  /// The maximum number of words of which any can be the name.
  private static let wordLimit = 8
  /// The maximum number of bytes of a line, and of lines with the digits of one digest.
  private static let (lineLimit, groupLimit) = (4096, 16)
  /// What stands between words, and around names.
  private static let separators = Set(" \t|`\"'*=,;<>()".utf8)
  private static let functions = [
    "SHA256", "SHA384", "SHA512", "SHA2256", "SHA2384", "SHA2512", "SHA256SUM", "SHA384SUM", "SHA512SUM", "HASH",
    "DIGEST",
    "CHECKSUM",
  ]

  /// What other functions are called, without digits at the end. Their digests may be as long.
  private static let others = [
    "B", "BLAKE", "BLAKE2B", "BLAKE2BP", "BLAKE2S", "BLAKE2SP", "GOST", "KECCAK", "MD", "RIPEMD", "RMD", "SHA",
    "SHAKE",
    "SKEIN", "SM", "STREEBOG", "TIGER", "WHIRLPOOL",
  ]

  /// Reads what begins with the first line.
  ///
  /// - Returns: whether such lines are here.
  static func read(
    _ lines: ArraySlice<ArraySlice<UInt8>>, number: Int, about subject: String?, into found: inout ChecksumStatements
  ) -> Bool {
    guard let line = lines.first, line.count <= lineLimit, let first = line.first, !"#;".utf8.contains(first) else {
      return false
    }
    let groups = grouped(lines)
    guard let (words, digest) = groups.map({ ($0.words, $0.digest) }) ?? single(line) else { return false }
    guard !words.contains(where: isOther) else { return false }
    // GnuPG writes some characters of a name as an address does.
    let names = words.filter { !isFunction($0) }.suffix(wordLimit).flatMap { word in
      let text = String(decoding: word, as: UTF8.self)
      return [text] + (PercentEncoding.decode(text).map { $0.isExactly(text) ? [] : [$0] } ?? [])
    }
    if let name = names.last ?? subject {
      found.stated.append(
        StatedChecksum(
          name: name, before: names.dropLast(), digest: digest, line: number, mayBeElsewhere: !names.isEmpty))
    }
    for next in 0..<(groups?.count ?? 0) { found.lines.insert(number + next) }
    return true
  }

  /// The words of a line with one digest among them.
  private static func single(_ line: ArraySlice<UInt8>) -> (words: [ArraySlice<UInt8>], digest: Digest)? {
    var (words, digests): ([ArraySlice<UInt8>], [Digest]) = ([], [])
    for word in line.split(whereSeparator: separators.contains) {
      // The function may stand before the digest, with a colon.
      let value = word.lastIndex(of: UInt8(ascii: ":")).map { word[($0 + 1)...] } ?? word
      if let digest = ChecksumDigits.digest(value) {
        digests.append(digest)
        if value.startIndex > word.startIndex { words.append(word[..<(value.startIndex - 1)]) }
      } else {
        words.append(word.last == UInt8(ascii: ":") ? word.dropLast() : word)
      }
    }
    return digests.count == 1 ? (words, digests[0]) : nil
  }

  /// A name, a colon, and groups of digits in this line and those behind it, which begin with blanks.
  private static func grouped(
    _ lines: ArraySlice<ArraySlice<UInt8>>
  ) -> (words: [ArraySlice<UInt8>], digest: Digest, count: Int)? {
    guard let line = lines.first, let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      return nil
    }
    var (name, rest) = (ChecksumText.trimmed(line[..<colon]), line[(colon + 1)...])
    // The function may stand behind the name.
    if let blank = name.lastIndex(of: 0x20), isFunction(name[blank...]) {
      name = ChecksumText.trimmed(name[..<blank])
    }
    // With several functions, each has its name before its digits.
    let equals = rest.firstIndex(of: UInt8(ascii: "="))
    if let equals, !isFunction(ChecksumText.trimmed(rest[..<equals])) { return nil }
    guard var digits = groups(equals.map { rest[($0 + 1)...] } ?? rest) else { return nil }
    var count = 1
    for next in lines.dropFirst().prefix(groupLimit) {
      guard next.first == 0x20 || next.first == 0x09, let more = groups(next), !more.isEmpty else { break }
      digits += more
      count += 1
    }
    guard let digest = ChecksumDigits.digest(digits[...]) else { return nil }
    return ([name], digest, count)
  }

  /// The digits of a line that has nothing else but blanks.
  private static func groups(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count <= lineLimit else { return nil }
    let digits = line.filter { $0 != 0x20 && $0 != 0x09 }
    return digits.allSatisfy { ChecksumDigits.isHexadecimal($0) } ? Array(digits) : nil
  }

  /// Whether a word is the name of a function, or of a column.
  private static func isFunction(_ word: ArraySlice<UInt8>) -> Bool {
    let plain = plain(word)
    return plain.isEmpty || functions.contains { plain.isExactly($0) }
  }

  /// Whether a word is the name of a function other than SHA-2.
  private static func isOther(_ word: ArraySlice<UInt8>) -> Bool {
    guard !isFunction(word) else { return false }
    var name = Array(plain(word).utf8)
    while let last = name.last, last == UInt8(ascii: "/") || (0x30...0x39).contains(last) { name.removeLast() }
    return others.contains { name.elementsEqual($0.utf8) }
  }

  private static func plain(_ word: ArraySlice<UInt8>) -> String {
    String(decoding: word.filter { !" -_:".utf8.contains($0) }, as: UTF8.self).uppercased()
  }
}
