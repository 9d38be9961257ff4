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
      if TaggedChecksum.read(line, number: number, about: subject, into: &found)
        || row(line, number: number, about: subject, into: &found)
        || CertUtilHashes.read(lines[index...], number: number, about: subject, into: &found)
      {
        continue
      }
      guard
        var each = PlainChecksum.read(line, number, subject)
          ?? PlainChecksum.read(line, number, subject, orOther: naming)
      else {
        if !rows.contains(number),
          ChecksumWords.read(lines[index...], number: number, about: rows.isEmpty ? subject : nil, into: &found)
        {
          continue
        }
        if let digits = cutDigits(line, subject) {
          found.unread.append((number, digits))
        }
        continue
      }
      if let whole = wholes[number], let name = PlainChecksum.read(whole, number, nil)?.name {
        each.before.insert(name, at: 0)
      }
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

  /// The digits of what would be a line with a digest, if they were fewer, more, or an even number.
  private static func cutDigits(_ line: ArraySlice<UInt8>, _ subject: String?) -> String? {
    let begun = line.drop { $0 == 0x20 || $0 == 0x09 }
    let line = begun.first == UInt8(ascii: "\\") ? begun.dropFirst() : begun
    let digits = line.prefix(while: ChecksumDigits.isHexadecimal)
    let rest = line[digits.endIndex...]
    guard digits.count > 40,
      rest.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true,
      subject != nil || rest.contains(where: { $0 != 0x20 && $0 != 0x09 })
    else { return nil }
    return String(decoding: digits.prefix(128), as: UTF8.self)
  }

  private static let algorithms = ["SHA256", "SHA384", "SHA512"].map { Array($0.utf8) }

  /// A row of the table of `Get-FileHash`. Its path is that on the machine where it was made, and is cut if the table is too
  /// narrow for it. Then only the list's own name can tell the file.
  ///
  /// - Returns: whether such a row is here.
  private static func row(
    _ line: ArraySlice<UInt8>, number: Int, about subject: String?, into found: inout ChecksumStatements
  ) -> Bool {
    let columns = line.split(separator: 0x20, maxSplits: 1)
    guard columns.count == 2, algorithms.contains(Array(columns[0])) else { return false }
    let text = columns[1].drop { $0 == 0x20 }
    let digits = text.prefix { $0 != 0x20 }
    let count = digits.prefix(while: ChecksumDigits.isHexadecimal).count
    // A text may begin with the name of a function, too.
    guard count >= 32 && count == digits.count || count >= 8 && ChecksumDigits.isCut(digits) else { return false }
    var record = PowerShellRecord(algorithm: String(decoding: columns[0], as: UTF8.self), line: number)
    record.hash = Array(digits)
    record.path = Array(text.dropFirst(digits.count))
    record.end(about: subject, &found)
    return true
  }
}
