internal import SignetBase
internal import SignetCrypto

/// The lines of a list that `sha256sum` and programs like it write and read.
///
/// Each is `HEX  NAME` or `HEX *NAME` (GNU coreutils, "md5sum output"), `SHA256 (NAME) = HEX` (BSD, `--tag`, OpenSSL),
/// `SHA256  HEX  PATH` (PowerShell, `Get-FileHash`; for its other forms see ``PowerShellHashes``), or the digits alone, in a
/// file that is called after the one it is about. A NUL may end each (`--zero`). `certutil -hashfile` writes the name on one
/// line and the digits on the next one.
/// Other lines are passed over, as those programs do: those of a signature around the list, and lists with MD5 or SHA-1,
/// which prove nothing.
enum ChecksumLines {
  /// Reads a list.
  ///
  /// - Parameter subject: the file that digits alone are about; nil if there is none.
  static func read(_ text: [UInt8], about subject: String?) -> ChecksumStatements {
    let end: UInt8 = text.contains(0) ? 0 : 0x0a
    let lines = text.split(separator: end, omittingEmptySubsequences: false).map { line in
      line.last == 0x0d ? line.dropLast() : line
    }
    var found = PowerShellHashes.read(lines, about: subject)
    for (index, line) in lines.enumerated() where !found.lines.contains(index + 1) {
      let number = index + 1
      if let each = tagged(line, number, subject) {
        found.stated.append(each)
      } else if !row(line, number, subject, &found), !certUtil(lines[index...], number, subject, &found),
        let each = plain(line, number, subject)
      {
        found.stated.append(each)
      }
    }
    return found
  }

  /// `SHA256 hash of NAME:`, and the digits on the next line. Old ones have a blank after each byte, and say `of file NAME`.
  ///
  /// - Returns: whether such a line is here.
  private static func certUtil(
    _ lines: ArraySlice<ArraySlice<UInt8>>, _ number: Int, _ subject: String?, _ found: inout ChecksumStatements
  ) -> Bool {
    guard let line = lines.first, let next = lines.dropFirst().first, line.last == UInt8(ascii: ":"),
      let algorithm = algorithms.first(where: { line.starts(with: $0) }),
      case let digits = next.filter({ $0 != 0x20 }), digits.count >= 32,
      digits.allSatisfy({ isHexadecimal($0) })
    else { return false }
    found.lines.insert(number + 1)
    let words = line.dropFirst(algorithm.count).dropLast()
    var name: ArraySlice<UInt8>?
    for start in [" hash of file ", " hash of "] where name == nil && words.starts(with: start.utf8) {
      // Only old ones, which have blanks, say that it is a file.
      if start.utf8.count > 9, next.count == digits.count { continue }
      name = words.dropFirst(start.utf8.count)
    }
    // Other languages have other words, and the name elsewhere.
    guard let digest = digest(digits[...]), Array(digest.algorithm.rawValue.uppercased().utf8) == algorithm,
      let name = name.flatMap({ WindowsPath.lastName($0) }) ?? subject
    else {
      found.unread.append((number, String(decoding: line, as: UTF8.self)))
      return true
    }
    found.stated.append(StatedChecksum(name: name, digest: digest, line: number + 1, function: .sha2))
    return true
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Whether the end of a value was left out because the table is too narrow for it.
  static func isCut(_ value: ArraySlice<UInt8>) -> Bool {
    ["...", "\u{2026}"].contains { value.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// `HEX  NAME`, or the digits alone.
  private static func plain(_ line: ArraySlice<UInt8>, _ number: Int, _ subject: String?) -> StatedChecksum? {
    let isEscaped = line.first == UInt8(ascii: "\\")
    let line = isEscaped ? line.dropFirst() : line
    let digits = line.prefix { $0 != 0x20 && $0 != 0x09 }
    guard let digest = digest(digits) else { return nil }
    var name = Array(line.dropFirst(digits.count).drop { $0 == 0x20 || $0 == 0x09 })
    if name.first == UInt8(ascii: "*") { name.removeFirst() }
    // What a program has read from another one has no name.
    guard !name.isEmpty, name != [UInt8(ascii: "-")] else {
      return subject.map { StatedChecksum(name: $0, digest: digest, line: number) }
    }
    if isEscaped { name = unescaped(name) }
    // Tables without their heads have paths of Windows.
    if name.count > 3, name[1] == UInt8(ascii: ":"), name[2] == UInt8(ascii: "\\") {
      return WindowsPath.lastName(name[...]).map { StatedChecksum(name: $0, digest: digest, line: number) }
    }
    let text = line.dropFirst(digits.count)
    let mode = text.first == 0x20 ? text.dropFirst().first.flatMap(StatedChecksum.Mode.init) : nil
    return StatedChecksum(name: String(decoding: name, as: UTF8.self), digest: digest, line: number, mode: mode)
  }

  /// `SHA256 (NAME) = HEX`. OpenSSL calls the functions `SHA2-256`, and leaves out blanks.
  private static func tagged(_ line: ArraySlice<UInt8>, _ number: Int, _ subject: String?) -> StatedChecksum? {
    guard let open = line.firstIndex(of: UInt8(ascii: "(")), let close = line.lastIndex(of: UInt8(ascii: ")")),
      open < close
    else { return nil }
    let rest = line[(close + 1)...].drop { $0 == 0x20 || $0 == UInt8(ascii: "=") }
    // Other functions have digests of the same lengths.
    let function = String(decoding: line[..<open].filter { $0 != 0x20 && $0 != UInt8(ascii: "-") }, as: UTF8.self)
    guard let digest = digest(rest) else { return nil }
    let isSHA2 = tags[digest.algorithm]?.contains { $0.isExactly(function) } ?? false
    guard isSHA2 || others.contains(where: { function.isExactly($0) }) else { return nil }
    let name = String(decoding: line[(open + 1)..<close], as: UTF8.self)
    guard !name.isExactly("stdin"), !name.isExactly("-") else {
      return subject.map { StatedChecksum(name: $0, digest: digest, line: number, function: isSHA2 ? .sha2 : .other) }
    }
    return StatedChecksum(name: name, digest: digest, line: number, function: isSHA2 ? .sha2 : .other)
  }

  /// What programs call the functions, without blanks and hyphens.
  private static let tags: [DigestAlgorithm: [String]] = [
    .sha256: ["SHA256", "SHA2256"], .sha384: ["SHA384", "SHA2384"], .sha512: ["SHA512", "SHA2512"],
  ]

  /// The same for functions whose digests are as long (`b2sum --tag`, `b3sum --tag`, `openssl dgst`).
  private static let others = [
    "BLAKE2b", "BLAKE2b256", "BLAKE2b384", "BLAKE2b512", "BLAKE2B512", "BLAKE2s", "BLAKE2s256", "BLAKE2S256",
    "BLAKE3",
    "SHA3256", "SHA3384", "SHA3512", "SHA512/256", "SHA2512/256", "SHA512256", "SM3",
  ]

  private static let algorithms = ["SHA256", "SHA384", "SHA512"].map { Array($0.utf8) }

  /// A row of the table of `Get-FileHash`. Its path is that on the machine where it was made, and is cut if the table is too
  /// narrow for it. Then only the list's own name can tell the file.
  ///
  /// - Returns: whether such a row is here.
  private static func row(
    _ line: ArraySlice<UInt8>, _ number: Int, _ subject: String?, _ found: inout ChecksumStatements
  ) -> Bool {
    let columns = line.split(separator: 0x20, maxSplits: 1)
    guard columns.count == 2, algorithms.contains(Array(columns[0])) else { return false }
    let text = columns[1].drop { $0 == 0x20 }
    let digits = text.prefix { $0 != 0x20 }
    let count = digits.prefix(while: isHexadecimal).count
    // A text may begin with the name of a function, too.
    guard count >= 32 && count == digits.count || count >= 8 && isCut(digits) else { return false }
    var record = PowerShellHashes.Record(algorithm: String(decoding: columns[0], as: UTF8.self), line: number)
    record.hash = Array(digits)
    record.path = Array(text.dropFirst(digits.count))
    record.end(about: subject, &found)
    return true
  }

  /// A digest in digits of either case. Its length tells the function.
  static func digest(_ digits: ArraySlice<UInt8>) -> Digest? {
    guard let algorithm = DigestAlgorithm.allCases.first(where: { $0.byteCount * 2 == digits.count }) else {
      return nil
    }
    let lower = digits.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 }
    return Digest(algorithm, hex: String(decoding: lower, as: UTF8.self))
  }

  /// A name in which a backslash stands before a backslash, and before `n` for a line feed.
  private static func unescaped(_ name: [UInt8]) -> [UInt8] {
    var (bytes, isAfterBackslash): ([UInt8], Bool) = ([], false)
    for byte in name {
      if isAfterBackslash {
        bytes.append(byte == UInt8(ascii: "n") ? 0x0a : byte)
        isAfterBackslash = false
      } else if byte == UInt8(ascii: "\\") {
        isAfterBackslash = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
