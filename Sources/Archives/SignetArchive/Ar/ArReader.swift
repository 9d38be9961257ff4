package import SignetBase
internal import SignetNames
package import SignetSystem

/// Reads an archive of `ar`, member by member: a static library, an import library or a Debian package.
///
/// No standard describes the format; all programs agree on the headers (ar(5)). Their long names differ: those of
/// System V and GNU are in a member `//`, which Microsoft's linker writes, too (PE Format, "Archive (Library) File
/// Format"); those of BSD are before the content of their member. Several members may have one name: a linker tells
/// them apart by their places.
package struct ArReader {
  private let source: any ByteSource
  private var position = Self.magic.count
  /// Where the long names are; nil until they are found.
  private var names: Range<Int>?
  /// Where each header is.
  private var headers: Set<Int> = []
  private var index: [ArIndex] = []

  /// What an archive begins with.
  package static let magic = Array("!<arch>\n".utf8)
  /// What an archive begins with whose members are files elsewhere (GNU).
  package static let thinMagic = Array("!<thin>\n".utf8)
  /// The maximum number of bytes of a name that are taken: as long as a path on Linux (PATH_MAX).
  private static let nameLimit = 4096
  /// The maximum number of members: as many as the gate searches in one archive, ten times those of a module.
  package static let countLimit = 200_000
  private static let headerSize = 60

  /// The fields of a header.
  private enum Field {
    static let name = 0..<16
    static let mode = 40..<48
    static let size = 48..<58
    static let end = 58..<60
  }

  /// - Throws: `archive.format` for a file that is no archive of ar, and what reading throws.
  package init(_ source: any ByteSource) throws(SignetError) {
    self.source = source
    guard try source.bytes(in: 0..<min(Self.magic.count, source.size)) == Self.magic else {
      throw SignetError(.archiveFormat, source.path, "is not an archive of ar")
    }
  }

  /// The next member; nil at the end, where tables of symbols are compared with the members.
  ///
  /// - Throws: `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.entry-count`,
  ///   `archive.header-mismatch` for a table of symbols that leads to something that is no member, and what reading
  ///   throws.
  package mutating func next() throws(SignetError) -> ArMember? {
    guard source.size - position >= Self.headerSize else { return try finish() }
    let header = try source.bytes(in: position..<position + Self.headerSize)
    guard header[Field.end].elementsEqual("`\n".utf8) else { return try finish() }
    guard headers.count < Self.countLimit else {
      throw SignetError(
        .archiveEntryCount, source.path, "has too many members", expected: "at most \(Self.countLimit)")
    }
    guard let size = Self.number(header[Field.size], radix: 10) else {
      throw damaged("has a member whose size is not a number")
    }
    let start = position + Self.headerSize
    guard size <= source.size - start else {
      throw SignetError(
        .archiveTruncated, source.path, "ends before its content does", expected: "\(size) bytes from \(start) on",
        found: "\(source.size - start) bytes", hint: "get the archive again from its publisher")
    }
    let member = try member(header, start..<start + size)
    headers.insert(position)
    // Content is padded to two bytes. After the last member, not all programs write the padding.
    position = min(start + size + size % 2, source.size)
    return member
  }

  private mutating func member(_ header: [UInt8], _ content: Range<Int>) throws(SignetError) -> ArMember {
    // Tables have no mode.
    let mode = UInt32(truncatingIfNeeded: Self.number(header[Field.mode], radix: 8) ?? 0) & 0o7777
    let spaces = header[Field.name].reversed().prefix { $0 == UInt8(ascii: " ") }.count
    let field = Array(header[Field.name].dropLast(spaces))
    func made(_ name: [UInt8], _ role: ArMember.Role, _ content: Range<Int>) -> ArMember {
      ArMember(
        name: Array(name.prefix(Self.nameLimit)), isCut: name.count > Self.nameLimit, role: role, mode: mode,
        content: content)
    }
    if let length = Self.number(field, behind: "#1/") {
      guard length <= content.count else { throw damaged("has a member whose name is longer than the member") }
      let end = content.lowerBound + length
      var name = try source.bytes(in: content.lowerBound..<min(end, content.lowerBound + Self.nameLimit + 1))
      // It is padded, so that the content begins at a multiple of four or eight bytes.
      if name.count == length { while name.last == 0 { name.removeLast() } }
      return made(name, Self.isSymbolTable(name) ? .table : .file, end..<content.upperBound)
    }
    if let offset = Self.number(field, behind: "/") { return made(try longName(at: offset), .file, content) }
    if field.elementsEqual("//".utf8) {
      guard names == nil else { throw damaged("has two members with long names") }
      names = content
      return made(field, .table, content)
    }
    if field.elementsEqual("/".utf8) || field.elementsEqual("/SYM64/".utf8) {
      index.append(
        ArIndex(content, isWide: field.count > 1, isSecond: index.contains { !$0.isWide } && field.count == 1))
      return made(field, .table, content)
    }
    if Self.isSymbolTable(field) { return made(field, .table, content) }
    guard let last = field.last else { throw damaged("has a member without a name") }
    return made(last == UInt8(ascii: "/") && field.count > 1 ? field.dropLast() : field, .file, content)
  }

  /// The tables of symbols of BSD, and what Microsoft's linker has besides its own. Any other name is that of a file.
  private static let symbolTables = [
    "__.SYMDEF", "__.SYMDEF/", "__.SYMDEF SORTED", "__.SYMDEF_64", "__.SYMDEF_64 SORTED", "/<ECSYMBOLS>/",
    "/<HYBRIDMAP>/", "/<XFGHASHMAP>/",
  ].map { Array($0.utf8) }

  private static func isSymbolTable(_ name: [UInt8]) -> Bool { symbolTables.contains(name) }

  /// A name in the member `//`. It ends with a slash and a line feed (GNU), a line feed, or NUL (Microsoft).
  private func longName(at offset: Int) throws(SignetError) -> [UInt8] {
    guard let names, offset < names.count else {
      throw damaged("has a member whose name is not among the long names")
    }
    let start = names.lowerBound + offset
    let bytes = try source.bytes(in: start..<min(names.upperBound, start + Self.nameLimit + 2))
    let name = bytes.prefix { $0 != 0x0a && $0 != 0 }
    guard !name.isEmpty else { throw damaged("has a member without a name") }
    let isEndedBySlash = name.count < bytes.count && bytes[name.count] == 0x0a && name.last == UInt8(ascii: "/")
    return isEndedBySlash && name.count > 1 ? Array(name.dropLast()) : Array(name)
  }

  /// Checks what follows the last member: nothing, or zeros, with which some programs fill up a file.
  private mutating func finish() throws(SignetError) -> ArMember? {
    let rest = position
    position = source.size
    if let place = try source.firstNonzero(from: rest) {
      // A rest that is long enough for a header must begin with one.
      guard source.size - rest < Self.headerSize else {
        throw damaged("has something at offset \(rest) that is not a member")
      }
      throw SignetError(
        .archiveTrailingData, source.path, "has bytes after the archive's end", expected: "zeros, or nothing",
        found: "other bytes from offset \(place) on",
        hint: "unpack it with the program that made it, and pack the directory")
    }
    for table in index {
      guard let stray = try table.firstStray(in: source, headers) else { continue }
      throw SignetError(
        .archiveHeaderMismatch, source.path, "has a table of symbols that leads to something that is no member",
        expected: "the offset of a member", found: "\(stray)", hint: "make the table again: ranlib")
    }
    return nil
  }

  /// The number behind a prefix, or nil.
  private static func number(_ field: [UInt8], behind prefix: String) -> Int? {
    guard field.starts(with: prefix.utf8) else { return nil }
    return number(field[prefix.utf8.count...], radix: 10)
  }

  /// A number in digits, with spaces after them.
  private static func number(_ field: ArraySlice<UInt8>, radix: Int) -> Int? {
    let digits = field.prefix { $0 != UInt8(ascii: " ") }
    guard !digits.isEmpty, field.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: " ") }),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    // A field has 13 digits at most: no overflow.
    return digits.reduce(0) { $0 * radix + Int($1 - UInt8(ascii: "0")) }
  }

  private func damaged(_ message: String) -> SignetError {
    SignetError(
      .archiveData, source.path, "is an archive of ar that \(message)",
      hint: "get the archive again, or make it anew with ar")
  }
}
