internal import SignetBase
internal import SignetCrypto

/// What PowerShell writes of the objects that `Get-FileHash` makes: a list (`Format-List`) or a table for programs
/// (`Export-Csv`, `ConvertTo-Csv`). Those for people are rows, which ``ChecksumLines`` reads.
enum PowerShellHashes {
  /// The properties of an object, each with the number of its line.
  private struct Record {
    var algorithm: String?
    var hash: [UInt8] = []
    var path: [UInt8] = []
    var line = 0

    /// - Parameter subject: the file that a digest without a path is about; nil if there is none.
    func stated(about subject: String?) -> StatedChecksum? {
      guard let digest = ChecksumLines.digest(hash[...]),
        algorithm.map({ $0.lowercased().isExactly(digest.algorithm.rawValue) }) ?? true
      else { return nil }
      guard let name = WindowsPath.lastName(path[...]) else {
        return subject.map {
          StatedChecksum(name: $0, digest: digest, line: line, function: algorithm == nil ? .unnamed : .sha2)
        }
      }
      return StatedChecksum(name: name, digest: digest, line: line, function: algorithm == nil ? .unnamed : .sha2)
    }
  }

  /// What such a text states; nothing in any other. Lines of other forms may be between them.
  static func read(_ lines: [ArraySlice<UInt8>], about subject: String?) -> [StatedChecksum] {
    list(lines, subject) ?? table(lines, subject) ?? []
  }

  // MARK: Lists

  /// `Hash      : HEX`. Objects have an empty line between them. What does not fit on a line goes on in the next one, below
  /// its beginning.
  private static func list(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> [StatedChecksum]? {
    var (found, record, last): ([StatedChecksum], Record, String) = ([], Record(), "")
    var isList = false
    func end() {
      if let stated = record.stated(about: subject) { found.append(stated) }
      (record, last) = (Record(), "")
    }
    for (index, line) in lines.enumerated() {
      let text = trimmed(line)
      if text.isEmpty {
        end()
      } else if let (name, value) = property(line) {
        isList = isList || name == "Hash"
        last = name
        switch name {
        case "Algorithm": record.algorithm = String(decoding: value, as: UTF8.self)
        case "Hash": (record.hash, record.line) = (Array(value), index + 1)
        case "Path": record.path = Array(value)
        default: break
        }
      } else if line.first == 0x20 {
        if last == "Hash" { record.hash += text } else if last == "Path" { record.path += text }
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
    return (String(decoding: name, as: UTF8.self), trimmed(rest.dropFirst()))
  }

  // MARK: Tables

  /// A line with the names of columns, in any order, and a line for each object. A line with the type may be before them.
  private static func table(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> [StatedChecksum]? {
    var columns: [String]?
    var found: [StatedChecksum] = []
    for (index, line) in lines.enumerated() where !trimmed(line).isEmpty && line.first != UInt8(ascii: "#") {
      let fields = fields(line)
      guard let names = columns else {
        let names = fields.map { String(decoding: $0, as: UTF8.self).lowercased() }
        guard names.contains("hash"), names.contains("path") else { return nil }
        columns = names
        continue
      }
      var record = Record(line: index + 1)
      for (name, field) in zip(names, fields) {
        switch name {
        case "algorithm": record.algorithm = String(decoding: field, as: UTF8.self)
        case "hash": record.hash = field
        case "path": record.path = field
        default: break
        }
      }
      if let stated = record.stated(about: subject) { found.append(stated) }
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

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = line.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
    return text
  }
}

/// The path of a file on the machine where a list was made.
enum WindowsPath {
  /// The last name; nil if there is none.
  static func lastName(_ path: ArraySlice<UInt8>) -> String? {
    let name = path.split { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "/") }.last?.drop { $0 == 0x20 }
    guard let name, !name.isEmpty else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}
