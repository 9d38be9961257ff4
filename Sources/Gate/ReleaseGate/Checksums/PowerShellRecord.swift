internal import SignetBase
internal import SignetCrypto

/// The properties of an object, each with the number of its line.
struct PowerShellRecord {
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
  /// The place of the path's own name in ``pathNames``.
  var pathRank = pathNames.count
  /// Whether the path has another name than that of `Get-FileHash`, and may be something else. Then a file of the release must
  /// have the digest.
  var isNamedOtherwise: Bool { (1..<Self.pathNames.count).contains(pathRank) && !path.isEmpty }

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
    let digest = ChecksumDigits.digest(hash[...])
    if digest == nil, Self.weak.contains(where: { function?.isExactly($0.name) ?? ($0.digits == hash.count) }) {
      return
    }
    guard let digest, function?.isExactly(digest.algorithm.rawValue) ?? true else {
      let digits = String(decoding: hash.prefix(128), as: UTF8.self)
      return found.unread.append((line, "\(algorithm.map { "\($0) " } ?? "")\(digits)"))
    }
    let kind: StatedChecksum.Function = algorithm == nil ? .unnamed : .sha2
    let path = ChecksumText.trimmed(path[...])
    let names = names
    if let name = names.last, !ChecksumDigits.isCut(path) {
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
    guard let rank = Self.pathNames.firstIndex(where: { $0.isExactly(name.lowercased()) }), rank < pathRank else {
      return false
    }
    (path, pathRank) = (value, rank)
    return true
  }

  /// What the path may mean, with the name that is told at the end.
  private var names: [String] {
    let path = ChecksumText.trimmed(path[...])
    guard !path.isEmpty else { return others }
    // PowerShell's paths are whole. Any other one is as sha256sum reads it.
    if isPlain, path.first != UInt8(ascii: "/"), !path.contains(UInt8(ascii: "\\")) {
      return others + [String(decoding: path, as: UTF8.self)]
    }
    var names = others
    if let spacedPath { names += WindowsPath.names(spacedPath[...]) }
    return names + WindowsPath.names(path)
  }

  /// What people call the property with the path or the name of the file, in lower case, with the surest one first.
  static let pathNames = ["path", "fullname", "file", "filename", "name"]
}
