internal import SignetBase
internal import SignetCrypto

/// What PowerShell writes of the objects that `Get-FileHash` makes: a list (`Format-List`), JSON (`ConvertTo-Json`),
/// or a table for programs (`Export-Csv`, `ConvertTo-Csv`) or for people (`Format-Table`; see ``PowerShellTable``). Without
/// its head, that has rows which ``ChecksumLines`` reads.
enum PowerShellHashes {
  /// The properties of an object, each with the number of its line.
  struct Record {
    var algorithm: String?
    var hash: [UInt8] = []
    var path: [UInt8] = []
    var line = 0

    /// The path with a blank where it went on in another line, if there may have been one.
    var spacedPath: [UInt8]?
    /// Whether `sha256sum` reads the line, too. Then its reading counts if the release has the file.
    var isPlain = false
    /// What else the path may be.
    var others: [String] = []
    /// Whether the columns have no path, and the line has what they have.
    var isPathMissing = false
    /// Whether the path may be something else, such as the name of a product.
    var isPathUnsure = false
    /// The place of the path's own name in ``PowerShellHashes/pathNames``.
    var pathRank = pathNames.count
    /// Whether the path has another name than that of `Get-FileHash`, and may be something else. Then a file of the release must
    /// have the digest.
    var isNamedOtherwise: Bool { (1..<pathNames.count).contains(pathRank) && !path.isEmpty }

    /// The functions that prove nothing: lists with them are not compared.
    private static let weak: [(name: String, digits: Int)] = [
      ("md5", 32), ("sha1", 40), ("ripemd160", 40), ("mactripledes", 16),
    ]

    /// Notes what the object states, or that it cannot be compared.
    ///
    /// - Parameter subject: the file that a digest without a whole path is about, or nil.
    func end(about subject: String?, _ found: inout ChecksumStatements) {
      guard isPlain else { return state(about: subject, &found) }
      var own = ChecksumStatements()
      state(about: subject, &own)
      found.unread += own.unread
      if own.unread.isEmpty { found.tables[line] = own.stated.first } else { found.lines.insert(line) }
    }

    private func state(about subject: String?, _ found: inout ChecksumStatements) {
      let function = algorithm?.lowercased()
      let digest = ChecksumLines.digest(hash[...])
      if digest == nil, Self.weak.contains(where: { function?.isExactly($0.name) ?? ($0.digits == hash.count) }) {
        return
      }
      guard let digest, function?.isExactly(digest.algorithm.rawValue) ?? true else {
        let digits = String(decoding: hash.prefix(128), as: UTF8.self)
        return found.unread.append((line, "\(algorithm.map { "\($0) " } ?? "")\(digits)"))
      }
      let kind: StatedChecksum.Function = algorithm == nil ? .unnamed : .sha2
      let path = PowerShellHashes.trimmed(path[...])
      let names = names
      if let name = names.last, !ChecksumLines.isCut(path) {
        found.stated.append(
          StatedChecksum(
            name: name, before: names.dropLast(), digest: digest, line: line,
            mayBeElsewhere: isPathUnsure && !isPlain,
            isNameUnsure: isNamedOtherwise && !isPlain, function: kind))
      } else if let subject {
        found.stated.append(
          StatedChecksum(
            name: subject, digest: digest, line: line, mayBeElsewhere: !path.isEmpty && !isPlain, function: kind))
      } else if path.isEmpty {
        guard !isPlain || isPathMissing else { return }
        found.stated.append(
          StatedChecksum(
            name: "", digest: digest, line: line, mayBeElsewhere: isPathUnsure && !isPlain, isNameUnsure: true,
            function: kind))
      } else {
        found.unread.append((line, String(decoding: path, as: UTF8.self)))
      }
    }

    /// Takes a property, if it is a surer path than that before it.
    ///
    /// - Returns: whether it is.
    mutating func take(path value: [UInt8], called name: String) -> Bool {
      guard let rank = pathNames.firstIndex(where: { $0.isExactly(name.lowercased()) }), rank < pathRank else {
        return false
      }
      (path, pathRank) = (value, rank)
      return true
    }

    /// What the path may mean, with the name that is told at the end.
    private var names: [String] {
      let path = PowerShellHashes.trimmed(path[...])
      guard !path.isEmpty else { return others }
      // PowerShell's paths are whole. Any other one is as sha256sum reads it.
      if isPlain, path.first != UInt8(ascii: "/"), !path.contains(UInt8(ascii: "\\")) {
        return others + [String(decoding: path, as: UTF8.self)]
      }
      var names = others
      if let spacedPath { names += WindowsPath.names(spacedPath[...]) }
      return names + WindowsPath.names(path)
    }
  }

  /// What people call the property with the path or the name of the file, in lower case, with the surest one first.
  static let pathNames = ["path", "fullname", "file", "filename", "name"]

  /// What such a text states; nothing in any other. Lines of other forms may be between them.
  static func read(_ lines: [ArraySlice<UInt8>], about subject: String?) -> ChecksumStatements {
    json(lines, subject) ?? list(lines, subject) ?? table(lines, subject) ?? PowerShellTable.read(lines, subject)
  }

  // MARK: JSON

  private static let limits = JSONLimits(size: 4 << 20, depth: 16, values: 400_000)

  /// An object, or a list of them (`ConvertTo-Json`). Objects without a function or a path are something else.
  private static func json(_ lines: [ArraySlice<UInt8>], _ subject: String?) -> ChecksumStatements? {
    guard let first = lines.lazy.map(trimmed).first(where: { !$0.isEmpty })?.first, "[{".utf8.contains(first),
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
      var record = Record(algorithm: member("Algorithm"), line: line)
      record.hash = Array(hash.utf8)
      for member in members {
        guard case .string(let text) = member.value.content else { continue }
        _ = record.take(path: Array(text.utf8), called: member.name)
      }
      guard record.algorithm != nil || record.pathRank < pathNames.count else { continue }
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
    var (found, record, last) = (ChecksumStatements(), Record(), "")
    var isList = false
    var known: Set<String> = []
    func end() {
      known = []
      if record.line > 0 { record.end(about: subject, &found) }
      (record, last) = (Record(), "")
    }
    for (index, line) in lines.enumerated() {
      let text = trimmed(line)
      if text.isEmpty {
        end()
      } else if let (name, value) = property(line) {
        isList = isList || name == "Hash"
        // The empty line between two objects may be missing.
        if ["Algorithm", "Hash"].contains(name) || pathNames.contains(name.lowercased()),
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
        if last == "Hash", text.allSatisfy({ ChecksumLines.isHexadecimal($0) }) {
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
        guard names.contains("hash"), names.contains(where: pathNames.contains) else { return nil }
        columns = names
        continue
      }
      var record = Record(line: index + 1)
      record.isPlain = ChecksumLines.isPlain(line)
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

  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = line.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
    return text
  }
}

/// The path of a file on the machine where a list was made.
enum WindowsPath {
  /// The ends of a path, with the longest one first: how much of it a release has cannot be told from it.
  static func names(_ path: ArraySlice<UInt8>) -> [String] {
    let names = PowerShellHashes.trimmed(path).split { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "/") }
    let texts = names.suffix(limit).map { String(decoding: $0, as: UTF8.self) }
    return texts.indices.map { texts[$0...].joined(separator: "/") }
  }

  /// The maximum number of names: folders of a release are not deeper.
  private static let limit = 16
}
