internal import SignetBase

/// A header as it is in a tar, field by field.
struct TarHeader {
  /// The type's letter.
  let type: UInt8
  /// The path, with the prefix before the name.
  let name: [UInt8]
  /// The number of its bytes that are in the name's own field.
  let nameFieldLength: Int
  let linkName: [UInt8]
  /// All bits of the mode.
  let mode: Int
  let size: Int

  /// Reads a header of 512 bytes.
  ///
  /// Nothing in it may have two readings. Numbers are octal digits and a terminator, texts have nothing after their
  /// end, and fields that no entry needs are empty.
  ///
  /// - Parameter position: the offset of the header, for messages.
  /// - Throws: `archive.tar-header`.
  init(_ block: [UInt8], at position: Int) throws(SignetError) {
    let field = Fields(block: block, position: position)
    try field.checkMagic()
    try field.checkSum()
    type = block[TarField.type]
    let prefix = try field.text(TarField.prefix, "prefix")
    let rest = try field.text(TarField.name, "name")
    guard prefix.isEmpty || !rest.isEmpty else { throw field.damaged("has a prefix but no name") }
    nameFieldLength = rest.count
    name = prefix.isEmpty ? rest : prefix + [UInt8(ascii: "/")] + rest
    linkName = try field.text(TarField.linkName, "link name")
    mode = try field.number(TarField.mode, "mode")
    size = try field.number(TarField.size, "size")
    // Owners and times from the archive are never installed, so it is enough that they can be read.
    _ = try field.number(TarField.uid, "owner")
    _ = try field.number(TarField.gid, "group")
    _ = try field.number(TarField.mtime, "time")
    _ = try field.text(TarField.userName, "owner's name")
    _ = try field.text(TarField.groupName, "group's name")
    guard block[TarField.padding].allSatisfy({ $0 == 0 }) else {
      throw field.damaged("has bytes after its last field")
    }
    for range in [TarField.deviceMajor, TarField.deviceMinor] {
      // Device nodes are refused by their type. In other headers, some programs leave these fields empty.
      guard !Self.isDevice(type), block[range].contains(where: { $0 != 0 }) else { continue }
      guard try field.number(range, "device") == 0 else {
        throw field.damaged("has a device number, but is not a device")
      }
    }
  }

  private static func isDevice(_ type: UInt8) -> Bool { type == UInt8(ascii: "3") || type == UInt8(ascii: "4") }

  private struct Fields {
    let block: [UInt8]
    let position: Int

    func checkMagic() throws(SignetError) {
      guard Array(block[TarField.magic]) != TarField.magicText else { return }
      let isGNU = block[TarField.magic].elementsEqual("ustar  \u{0}".utf8)
      throw damaged(
        isGNU ? "is in GNU's format" : "has a format that is not read", expected: "POSIX's ustar format")
    }

    func checkSum() throws(SignetError) {
      let (expected, found) = (TarField.sum(of: block), try number(TarField.checksum, "checksum"))
      guard expected == found else {
        throw damaged("does not have its checksum", expected: "\(expected)", found: "\(found)")
      }
    }

    /// The bytes up to the first NUL, after which only NULs are allowed; all bytes if there is no NUL.
    func text(_ range: Range<Int>, _ what: String) throws(SignetError) -> [UInt8] {
      let text = block[range].prefix { $0 != 0 }
      guard block[text.endIndex..<range.upperBound].allSatisfy({ $0 == 0 }) else {
        throw damaged("has bytes after the end of its \(what)")
      }
      return Array(text)
    }

    /// One octal digit or more, then one or more spaces or NULs, and nothing else.
    func number(_ range: Range<Int>, _ what: String) throws(SignetError) -> Int {
      let digits = block[range].prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
      let end = block[digits.endIndex..<range.upperBound]
      guard !digits.isEmpty, !end.isEmpty, end.allSatisfy({ $0 == 0 || $0 == 0x20 }) else {
        let isBinary = block[range.lowerBound] & 0x80 != 0
        throw damaged(
          isBinary ? "has a \(what) in GNU's binary form" : "has a \(what) that is not a number",
          expected: "octal digits")
      }
      // Eleven digits at most: no overflow.
      return digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
    }

    func damaged(_ message: String, expected: String? = nil, found: String? = nil) -> SignetError {
      SignetError(
        .archiveTarHeader, "header at \(position)", message, expected: expected, found: found, hint: TarHint.repack)
    }
  }
}
