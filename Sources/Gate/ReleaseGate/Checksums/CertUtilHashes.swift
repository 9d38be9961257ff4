internal import SignetBase
internal import SignetCrypto

/// What `certutil -hashfile` of Windows writes: `SHA256 hash of NAME:`, the digits on the next line, and a line that begins
/// with `CertUtil:`. Old ones have a blank after each byte, and say `of file NAME`. Other languages have other words, and
/// the name anywhere. The function is written as it was typed, and the colon of East Asian languages is a wide one.
enum CertUtilHashes {
  private static let functions = ["SHA256", "SHA384", "SHA512"].map { Array($0.utf8) }
  /// A colon, and the wide one in UTF-8, in the encodings of China and Korea, of Japan, and of Taiwan.
  private static let colons: [[UInt8]] = [[0x3a], [0xef, 0xbc, 0x9a], [0xa3, 0xba], [0x81, 0x46], [0xa1, 0x47]]
  /// The digits of digests that prove nothing.
  private static let weak = [32, 40]
  /// The maximum number of words of which any that follow each other can be the name.
  private static let wordLimit = 6
  /// The maximum number of bytes of the line with the name.
  private static let lineLimit = 1024

  /// Reads what begins with the first line.
  ///
  /// - Returns: whether such lines are here.
  static func read(
    _ lines: ArraySlice<ArraySlice<UInt8>>, number: Int, about subject: String?, into found: inout ChecksumStatements
  ) -> Bool {
    guard let first = lines.first, case let line = ChecksumText.trimmed(first), line.count <= lineLimit,
      let colon = colons.first(where: { line.suffix($0.count).elementsEqual($0) }),
      let next = lines.dropFirst().first, let digits = digits(next),
      let function = function(in: line)
    else { return false }
    let text = ChecksumText.trimmed(line.dropLast(colon.count))
    let beginsWithFunction = upper(text.prefix(function.count)) == function
    let english = " hash of ".utf8
    let isEnglish = beginsWithFunction && text.dropFirst(function.count).starts(with: english)
    let end = lines.dropFirst(2).first.map { ChecksumText.trimmed($0) }
    let isSure = isEnglish || end?.starts(with: "CertUtil:".utf8) ?? false
    guard isSure || beginsWithFunction else { return false }
    if weak.contains(digits.count) {
      found.lines.insert(number + 1)
      return true
    }
    guard let digest = ChecksumDigits.digest(digits[...]),
      Array(digest.algorithm.rawValue.uppercased().utf8) == function
    else {
      guard isSure else { return false }
      found.lines.insert(number + 1)
      found.unread.append((number, String(decoding: line, as: UTF8.self)))
      return true
    }
    let names = isEnglish ? named(text.dropFirst(function.count + english.count)) : anywhere(in: text)
    guard let name = names.last else { return false }
    found.lines.insert(number + 1)
    found.stated.append(
      StatedChecksum(
        name: name, before: names.dropLast(), digest: digest, line: number + 1, mayBeElsewhere: !isSure,
        isNameUnsure: !isEnglish, function: .sha2))
    return true
  }

  /// The digits of a line that has nothing else, together or byte by byte.
  private static func digits(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    let words = line.split { $0 == 0x20 || $0 == 0x09 }
    guard words.count == 1 || words.allSatisfy({ $0.count == 2 }), case let digits = Array(words.joined()),
      digits.count >= 32, digits.allSatisfy({ ChecksumDigits.isHexadecimal($0) })
    else { return nil }
    return digits
  }

  /// The function that a line names first.
  private static func function(in line: ArraySlice<UInt8>) -> [UInt8]? {
    for start in line.indices where line[start] & 0xdf == UInt8(ascii: "S") {
      let word = upper(line[start...].prefix(6))
      if functions.contains(word) { return word }
    }
    return nil
  }

  private static func upper(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xdf : $0 }
  }

  private static func named(_ path: ArraySlice<UInt8>) -> [String] {
    let file = Array("file ".utf8)
    return WindowsPath.names(path) + (path.starts(with: file) ? WindowsPath.names(path.dropFirst(file.count)) : [])
  }

  /// What may be the name among words: more of them are more likely, and those at the end.
  private static func anywhere(in text: ArraySlice<UInt8>) -> [String] {
    let words = text.split(separator: 0x20).dropFirst().suffix(wordLimit)
    var names: [String] = []
    for count in stride(from: words.count, to: 0, by: -1) {
      for end in stride(from: words.endIndex, to: words.startIndex + count - 1, by: -1) {
        var run = text[words[end - count].startIndex..<words[end - 1].endIndex]
        names += WindowsPath.names(run).suffix(4)
        let count = run.count
        while let byte = run.first, "(\"'".utf8.contains(byte) { run = run.dropFirst() }
        while let byte = run.last, ")\"':".utf8.contains(byte) { run = run.dropLast() }
        if run.count < count { names += WindowsPath.names(run).suffix(4) }
      }
    }
    // The last word is what is told.
    return names + (words.last.map { WindowsPath.names($0).suffix(1) } ?? [])
  }
}
