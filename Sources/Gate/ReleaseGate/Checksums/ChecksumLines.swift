internal import SignetBase
internal import SignetCrypto

/// The lines of a list that `sha256sum` and programs like it write and read.
///
/// Each is `HEX  NAME` or `HEX *NAME` (GNU coreutils, "md5sum output"), the same in base64 (`cksum --base64 --untagged`), `SHA256  HEX  PATH` (PowerShell, `Get-FileHash`; for
/// its other forms see ``PowerShellHashes``), or the digits alone, in a file that is called after the one it is about. For
/// those with a function see ``TaggedChecksum`` and ``CertUtilHashes``. A NUL may end each (`--zero`), and blanks may
/// be before it.
/// Other lines are passed over, as those programs do: those of a signature around the list, and lists with MD5 or SHA-1,
/// which prove nothing.
enum ChecksumLines {
  /// Reads a list.
  ///
  /// - Parameters:
  ///   - subject: the file that digits alone are about, or nil.
  ///   - naming: what the list's name says about the function.
  static func read(
    _ text: [UInt8], about subject: String?, _ naming: ChecksumFile.Naming = .sha2
  ) -> ChecksumStatements {
    let ends = text.split(omittingEmptySubsequences: false) { $0 == 0 || $0 == 0x0a }.map { line in
      line.last == 0x0d ? line.dropLast() : line
    }
    let wholes = wholes(text)
    let (lines, tables) = ClearSignedText.read(ends)
    var found = PowerShellHashes.read(tables, about: subject)
    // Rows of tables, which other programs may read in their own way, and whose words stand in the order of the columns.
    let rows = Set(found.stated.map(\.line) + found.unread.map(\.line))
    for (index, line) in lines.enumerated() where !found.lines.contains(index + 1) {
      let number = index + 1
      if TaggedChecksum.read(line, number, subject, &found) || row(line, number, subject, &found)
        || CertUtilHashes.read(lines[index...], number, subject, &found)
      {
        continue
      }
      guard var each = plain(line, number, subject) ?? plain(line, number, subject, orOther: naming) else {
        if !rows.contains(number), ChecksumWords.read(lines[index...], number, rows.isEmpty ? subject : nil, &found) {
          continue
        }
        if let digits = cutDigits(line, subject) {
          found.unread.append((number, digits))
        }
        continue
      }
      if let whole = wholes[number], let name = plain(whole, number, nil)?.name { each.before.insert(name, at: 0) }
      if let table = found.tables[number] { each.instead = [table] }
      found.stated.append(each)
    }
    return found
  }

  /// What is up to a NUL and has more than one line, by the number of its first line: names can have line feeds then.
  private static func wholes(_ text: [UInt8]) -> [Int: ArraySlice<UInt8>] {
    guard text.contains(0) else { return [:] }
    var (found, number): ([Int: ArraySlice<UInt8>], Int) = ([:], 1)
    for whole in text.split(separator: 0, omittingEmptySubsequences: false).dropLast() {
      let ends = whole.count { $0 == 0x0a }
      if ends > 0 { found[number] = whole }
      number += ends + 1
    }
    return found
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Whether the end of a value was left out because the table is too narrow for it.
  static func isCut(_ value: ArraySlice<UInt8>) -> Bool {
    ["...", "\u{2026}"].contains { value.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// Whether `sha256sum` and programs like it read a line.
  static func isPlain(_ line: ArraySlice<UInt8>) -> Bool { plain(line, 0, nil) != nil }

  /// `HEX  NAME`, or the digits alone.
  ///
  /// - Parameter naming: what the list's name says about the function, to read digests of other lengths, too; nil for those
  ///   of SHA-2 alone.
  private static func plain(
    _ line: ArraySlice<UInt8>, _ number: Int, _ subject: String?, orOther naming: ChecksumFile.Naming? = nil
  ) -> StatedChecksum? {
    let begun = line.drop { $0 == 0x20 || $0 == 0x09 }
    let isEscaped = begun.first == UInt8(ascii: "\\")
    let line = isEscaped ? begun.dropFirst() : begun
    let digits = line.prefix { $0 != 0x20 && $0 != 0x09 }
    let sha2 = digest(digits) ?? base64(digits, line[digits.endIndex...])
    guard let digest = sha2?.bytes ?? naming.flatMap({ other(digits, $0) }) else { return nil }
    var name = Array(line.dropFirst(digits.count).drop { $0 == 0x20 || $0 == 0x09 })
    if name.first == UInt8(ascii: "*") { name.removeFirst() }
    // What a program has read from another one has no name.
    guard !name.isEmpty, name != [UInt8(ascii: "-")] else {
      return subject.map { StatedChecksum(name: $0, digest: digest, line: number) }
    }
    if isEscaped { name = unescaped(name) }
    let names = names(name)
    guard let last = names.last, names.count == 1 else {
      return names.last.map { StatedChecksum(name: $0, before: names.dropLast(), digest: digest, line: number) }
    }
    let text = line.dropFirst(digits.count)
    let mode = text.first == 0x20 ? text.dropFirst().first.flatMap(StatedChecksum.Mode.init) : nil
    return StatedChecksum(name: last, digest: digest, line: number, mode: mode)
  }

  /// The bytes of a digest of another function, or of what was cut. Those of MD5 and SHA-1, and shorter ones, prove nothing.
  static func other(_ digits: ArraySlice<UInt8>, _ naming: ChecksumFile.Naming) -> [UInt8]? {
    let least = naming == .blake3 ? 16 : 42
    guard (least...2 * OtherChecksums.byteLimit).contains(digits.count), digits.allSatisfy(isHexadecimal) else {
      return nil
    }
    return Hexadecimal.decode(String(decoding: digits, as: UTF8.self).lowercased())
  }

  /// The digits of what would be a line with a digest, if they were fewer, more, or an even number.
  private static func cutDigits(_ line: ArraySlice<UInt8>, _ subject: String?) -> String? {
    let begun = line.drop { $0 == 0x20 || $0 == 0x09 }
    let line = begun.first == UInt8(ascii: "\\") ? begun.dropFirst() : begun
    let digits = line.prefix(while: isHexadecimal)
    let rest = line[digits.endIndex...]
    guard digits.count > 40,
      rest.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true,
      subject != nil || rest.contains(where: { $0 != 0x20 && $0 != 0x09 })
    else { return nil }
    return String(decoding: digits.prefix(128), as: UTF8.self)
  }

  /// What a name may mean, with the likeliest one at the end, if it is a path of Windows, as tables without their heads have.
  static func names(_ name: [UInt8]) -> [String] {
    let isPath = name.count > 3 && name[1] == UInt8(ascii: ":") && name[2] == UInt8(ascii: "\\")
    return isPath ? WindowsPath.names(name[...]) : [String(decoding: name, as: UTF8.self)]
  }

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

  /// A digest in base64, with a name behind it: without one, it may be a line of a signature.
  private static func base64(_ word: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) -> Digest? {
    guard rest.count > 2, rest.starts(with: "  ".utf8) || rest.starts(with: " *".utf8),
      let known = DigestAlgorithm.allCases.first(where: { ($0.byteCount + 2) / 3 * 4 == word.count }),
      let bytes = try? Base64.decode(String(decoding: word, as: UTF8.self)), bytes.count == known.byteCount
    else { return nil }
    return Digest(known, hex: Hexadecimal.encode(bytes))
  }

  /// A digest in digits of either case. Its length tells the function.
  static func digest(_ digits: ArraySlice<UInt8>) -> Digest? {
    guard let algorithm = DigestAlgorithm.allCases.first(where: { $0.byteCount * 2 == digits.count }) else {
      return nil
    }
    let lower = digits.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 }
    return Digest(algorithm, hex: String(decoding: lower, as: UTF8.self))
  }

  /// A name in which a backslash stands before a backslash, before `n` for a line feed, and before `r` for a return.
  static func unescaped(_ name: [UInt8]) -> [UInt8] {
    var (bytes, isAfterBackslash): ([UInt8], Bool) = ([], false)
    for byte in name {
      if isAfterBackslash {
        bytes.append(byte == UInt8(ascii: "n") ? 0x0a : byte == UInt8(ascii: "r") ? 0x0d : byte)
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
