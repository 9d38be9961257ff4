internal import SignetBase
internal import SignetCrypto

/// What PowerShell writes of the objects that `Get-FileHash` makes: a list (`Format-List`), JSON (`ConvertTo-Json`),
/// or a table for programs (`Export-Csv`, `ConvertTo-Csv`) or for people (`Format-Table`; see ``PowerShellTable``). Without
/// its head, that has rows which ``ChecksumLines`` reads.
enum PowerShellHashes {

  /// What such a text states; nothing in any other. Lines of other forms may be between them.
  static func read(_ lines: [ArraySlice<UInt8>], about subject: String?) -> ChecksumStatements {
    json(lines, subject) ?? list(lines, subject) ?? table(lines, subject) ?? PowerShellTable.read(lines, subject)
  }

  // MARK: JSON

  private static let limits = JSONLimits(size: 4 << 20, depth: 16, values: 400_000)

  /// An object, or a list of them (`ConvertTo-Json`). Objects without a function or a path are something else.
  private static func json(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> ChecksumStatements? {
    guard let first = lines.lazy.map(ChecksumText.trimmed).first(where: { !$0.isEmpty })?.first,
      "[{".utf8.contains(first),
      case let text = Array(lines.joined(separator: [0x0a])),
      let value = try? JSONReader.read(text, limits: limits)
    else { return nil }
    let values = if case .array(let values) = value.content { values } else { [value] }
    var found = ChecksumStatements()
    var keys = keys(lines)[...]
    for value in values {
      guard case .object(let members) = value.content else { continue }
      func member(_ name: String) -> String? {
        for member in members where member.name.isExactly(name) {
          if case .string(let text) = member.value.content { return text }
        }
        return nil
      }
      guard let hash = member("Hash"), let line = keys.popFirst() else { continue }
      var record = PowerShellRecord(algorithm: member("Algorithm"), line: line)
      record.hash = Array(hash.utf8)
      for member in members {
        guard case .string(let text) = member.value.content else { continue }
        _ = record.take(path: Array(text.utf8), called: member.name)
      }
      guard record.algorithm != nil || record.pathRank < PowerShellRecord.pathNames.count else { continue }
      record.end(about: subject, &found)
    }
    return found.stated.isEmpty && found.unread.isEmpty ? nil : found
  }

  /// The numbers of the lines with each key of a digest.
  private static func keys(_ lines: [ArraySlice<UInt8>]) -> [Int] {
    let key = Array("\"Hash\"".utf8)
    return lines.enumerated().flatMap { index, line in
      line.indices.filter {
        line[$0] == UInt8(ascii: "H") && $0 > line.startIndex && line[($0 - 1)...].starts(with: key)
      }
      .map { _ in index + 1 }
    }
  }

  // MARK: Lists

  /// `Hash      : HEX`. Objects have an empty line between them. What does not fit on a line goes on in the next one, below
  /// its beginning.
  private static func list(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> ChecksumStatements? {
    var (found, record, last) = (ChecksumStatements(), PowerShellRecord(), "")
    var isList = false
    var known: Set<String> = []
    func end() {
      known = []
      if record.line > 0 { record.end(about: subject, &found) }
      (record, last) = (PowerShellRecord(), "")
    }
    for (index, line) in lines.enumerated() {
      let text = ChecksumText.trimmed(line)
      if text.isEmpty {
        end()
      } else if let (name, value) = property(line) {
        isList = isList || name == "Hash"
        // The empty line between two objects may be missing.
        if ["Algorithm", "Hash"].contains(name) || PowerShellRecord.pathNames.contains(name.lowercased()),
          !known.insert(name).inserted
        {
          end()
          known = [name]
        }
        last = name
        switch name {
        case "Algorithm": record.algorithm = String(decoding: value, as: UTF8.self)
        case "Hash": (record.hash, record.line) = (Array(value), index + 1)
        default: if record.take(path: Array(value), called: name) { last = "Path" }
        }
      } else if line.first == 0x20 {
        if last == "Hash", text.allSatisfy({ ChecksumDigits.isHexadecimal($0) }) {
          record.hash += text
          found.lines.insert(index + 1)
        } else if last == "Path" {
          record.path += text
        }
      }
    }
    end()
    return isList ? found : nil
  }

  /// A name from the first column on, a colon behind blanks, and a value.
  private static func property(_ line: ArraySlice<UInt8>) -> (name: String, value: ArraySlice<UInt8>)? {
    let name = line.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xdf) }
    let rest = line.dropFirst(name.count).drop { $0 == 0x20 }
    guard !name.isEmpty, rest.first == UInt8(ascii: ":"), rest.startIndex > name.endIndex else { return nil }
    return (String(decoding: name, as: UTF8.self), ChecksumText.trimmed(rest.dropFirst()))
  }

  // MARK: Tables

  /// A line with the names of columns, in any order, and a line for each object. A line with the type may be before them.
  private static func table(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> ChecksumStatements? {
    var columns: [String]?
    var found = ChecksumStatements()
    for (index, line) in lines.enumerated()
    where !ChecksumText.trimmed(line).isEmpty && line.first != UInt8(ascii: "#") {
      let fields = fields(line)
      // Lines of another form may follow.
      guard columns == nil || fields.count > 1 else { continue }
      guard let names = columns else {
        let names = fields.map { String(decoding: $0, as: UTF8.self).lowercased() }
        guard names.contains("hash"), names.contains(where: PowerShellRecord.pathNames.contains) else { return nil }
        columns = names
        continue
      }
      var record = PowerShellRecord(line: index + 1)
      record.isPlain = PlainChecksum.isPlain(line)
      for (name, field) in zip(names, fields) {
        switch name {
        case "algorithm": record.algorithm = String(decoding: field, as: UTF8.self)
        case "hash": record.hash = field
        default: _ = record.take(path: field, called: name)
        }
      }
      record.end(about: subject, &found)
    }
    return columns == nil ? nil : found
  }

  /// The fields of a line (RFC 4180), also with what some countries put between them.
  private static func fields(_ line: ArraySlice<UInt8>) -> [[UInt8]] {
    let quote = UInt8(ascii: "\"")
    var (fields, field, isQuoted): ([[UInt8]], [UInt8], Bool) = ([], [], false)
    var rest = line
    while let byte = rest.popFirst() {
      if byte == quote, isQuoted, rest.first == quote {
        field.append(quote)
        rest = rest.dropFirst()
      } else if byte == quote {
        isQuoted.toggle()
      } else if !isQuoted, ",;\t".utf8.contains(byte) {
        fields.append(field)
        field = []
      } else {
        field.append(byte)
      }
    }
    return fields + [field]
  }
}
