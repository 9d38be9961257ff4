internal import SignetBase
internal import SignetCrypto

/// What PowerShell writes of the objects that `Get-FileHash` makes: a list (`Format-List`) or a table for programs
/// (`Export-Csv`, `ConvertTo-Csv`), or one for people (`Format-Table`). Without its head, that has rows which
/// ``ChecksumLines`` reads.
enum PowerShellHashes {
  /// The properties of an object, each with the number of its line.
  struct Record {
    var algorithm: String?
    var hash: [UInt8] = []
    var path: [UInt8] = []
    var line = 0

    /// The functions that prove nothing: lists with them are not compared.
    private static let weak: [(name: String, digits: Int)] = [
      ("md5", 32), ("sha1", 40), ("ripemd160", 40), ("mactripledes", 16),
    ]

    /// Notes what the object states, or that it cannot be compared.
    ///
    /// - Parameter subject: the file that a digest without a whole path is about; nil if there is none.
    func end(about subject: String?, _ found: inout ChecksumStatements) {
      let function = algorithm?.lowercased()
      if Self.weak.contains(where: { function?.isExactly($0.name) ?? ($0.digits == hash.count) }) { return }
      guard let digest = ChecksumLines.digest(hash[...]), function?.isExactly(digest.algorithm.rawValue) ?? true
      else {
        let digits = String(decoding: hash.prefix(128), as: UTF8.self)
        return found.unread.append((line, "\(algorithm.map { "\($0) " } ?? "")\(digits)"))
      }
      let path = PowerShellHashes.trimmed(path[...])
      var stated = StatedChecksum(name: "", digest: digest, line: line, function: algorithm == nil ? .unnamed : .sha2)
      if let name = WindowsPath.lastName(path), !ChecksumLines.isCut(path) {
        stated = StatedChecksum(name: name, digest: digest, line: line, function: stated.function)
      } else if let subject {
        stated = StatedChecksum(
          name: subject, digest: digest, line: line, mayBeElsewhere: !path.isEmpty, function: stated.function)
      } else {
        return found.unread.append((line, path.isEmpty ? "no path" : String(decoding: path, as: UTF8.self)))
      }
      found.stated.append(stated)
    }
  }

  /// What such a text states; nothing in any other. Lines of other forms may be between them.
  static func read(_ lines: [ArraySlice<UInt8>], about subject: String?) -> ChecksumStatements {
    list(lines, subject) ?? table(lines, subject) ?? columns(lines, subject)
  }

  // MARK: Tables for people

  /// A line with the names of columns in any order, one with dashes below them, and a line for each object up to an empty
  /// one (`Format-Table`). Nothing but a path has blanks in it.
  private static func columns(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> ChecksumStatements {
    var found = ChecksumStatements()
    var names: [String] = []
    for (index, line) in lines.enumerated() {
      let words = line.split(separator: 0x20)
      if index + 1 < lines.count, case let dashes = lines[index + 1].split(separator: 0x20), !dashes.isEmpty,
        dashes.allSatisfy({ $0.allSatisfy { $0 == UInt8(ascii: "-") } }), dashes.count == words.count
      {
        names = words.map { String(decoding: $0, as: UTF8.self).lowercased() }
        if !names.contains(where: { $0.isExactly("hash") }) { names = [] }
      } else if words.isEmpty {
        names = []
      } else if !names.isEmpty, !words.allSatisfy({ $0.allSatisfy { $0 == UInt8(ascii: "-") } }) {
        // A line of another form may follow right away.
        let first = words[0].first == UInt8(ascii: "\\") ? words[0].dropFirst() : words[0]
        guard names[0].isExactly("hash") || ChecksumLines.digest(first) == nil else { continue }
        found.lines.insert(index + 1)
        record(line, words, names, index + 1).end(about: subject, &found)
      }
    }
    return found
  }

  private static func record(
    _ line: ArraySlice<UInt8>, _ words: [ArraySlice<UInt8>], _ names: [String], _ number: Int
  ) -> Record {
    let place = names.firstIndex { $0.isExactly("path") } ?? names.count
    let behind = max(0, names.count - place - 1)
    var record = Record(line: number)
    let first = zip(names.prefix(place), words)
    let last = zip(names.suffix(behind), words.suffix(behind))
    for (name, word) in Array(first) + Array(last) {
      if name.isExactly("hash") { record.hash = Array(word) }
      if name.isExactly("algorithm") { record.algorithm = String(decoding: word, as: UTF8.self) }
    }
    let path = words.dropFirst(place).dropLast(behind)
    if place < names.count, let start = path.first?.startIndex, let end = path.last?.endIndex {
      record.path = Array(line[start..<end])
    }
    return record
  }

  // MARK: Lists

  /// `Hash      : HEX`. Objects have an empty line between them. What does not fit on a line goes on in the next one, below
  /// its beginning.
  private static func list(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> ChecksumStatements? {
    var (found, record, last) = (ChecksumStatements(), Record(), "")
    var isList = false
    func end() {
      if record.line > 0 { record.end(about: subject, &found) }
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
  private static func table(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> ChecksumStatements? {
    var columns: [String]?
    var found = ChecksumStatements()
    for (index, line) in lines.enumerated() where !trimmed(line).isEmpty && line.first != UInt8(ascii: "#") {
      let fields = fields(line)
      // Lines of another form may follow.
      guard columns == nil || fields.count > 1 else { continue }
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

  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
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
