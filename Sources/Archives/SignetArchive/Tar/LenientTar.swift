package import SignetBase
package import SignetSystem

/// Looks into any tar that a common program writes, to see what it seems to contain: GNU's format and POSIX's, old
/// tars without a magic, with long names, global headers or sparse files, and with any compression.
///
/// It tells a publisher that a module is not packed as a module must be. No trust decision may rely on it: it believes
/// damaged data, and stops where it cannot continue.
package enum LenientTar {
  /// The maximum number of decompressed bytes that are inspected. Except for a few, modules are smaller.
  package static let lookLimit = 1 << 30
  /// The maximum number of bytes that are read of a name or an extended header: the systems' longest path, and some
  /// other records.
  private static let textLimit = 64 << 10

  /// Whether there seems to be an entry of this name at the tar's root, with or without `./` before it.
  ///
  /// - Parameter limit: the maximum number of bytes that are read or decompressed.
  /// - Throws: `file.changed`, `file.read-failed`. A file that cannot be decompressed does not count as a tar.
  package static func lists(
    _ name: String, in source: any ByteSource, limit: Int = lookLimit
  ) throws(SignetError) -> Bool {
    do throws(SignetError) {
      var scan = Scan(name: Array(name.utf8), input: try LenientTarInput(source, limit: limit))
      return try scan.finds()
    } catch {
      guard Set.aboutArchives.contains(error.code) else { throw error }
      return false
    }
  }

  private struct Scan {
    let name: [UInt8]
    let input: LenientTarInput
    /// The name of the next entry, from a header before it.
    var longName: [UInt8]?

    mutating func finds() throws(SignetError) -> Bool {
      while let block = try input.block(), ZIPPolyglot.isTarHeader(block) {
        let size = LenientTar.number(block[TarField.size])
        switch block[TarField.type] {
        case UInt8(ascii: "x"), UInt8(ascii: "X"): longName = LenientTar.path(inRecords: try data(size)) ?? longName
        case UInt8(ascii: "L"): longName = try data(size).prefix { $0 != 0 }.map(\.self)
        case UInt8(ascii: "g"), UInt8(ascii: "K"): try input.pass(size + TarField.padding(behind: size))
        case let type:
          if LenientTar.isAtRoot(longName ?? LenientTar.name(in: block), name) { return true }
          longName = nil
          if type == UInt8(ascii: "S") { try passSparseMap(block) }
          // Links, devices, directories and pipes have no data, whatever their size says.
          if !(UInt8(ascii: "1")...UInt8(ascii: "6")).contains(type) {
            try input.pass(size + TarField.padding(behind: size))
          }
        }
      }
      return false
    }

    private func data(_ size: Int) throws(SignetError) -> [UInt8] {
      let read = try input.bytes(min(size, LenientTar.textLimit))
      try input.pass(size - read.count + TarField.padding(behind: size))
      return read
    }

    /// Skips the blocks that continue the map of a GNU sparse file: a byte in each tells whether another follows.
    private func passSparseMap(_ header: [UInt8]) throws(SignetError) {
      var goesOn = header[482] != 0
      while goesOn, let block = try input.block() { goesOn = block[504] != 0 }
    }
  }

  private static func isAtRoot(_ path: [UInt8], _ name: [UInt8]) -> Bool {
    let names = path.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    return names.count == 1 && names[0] == name[...]
  }

  /// The name in a header itself.
  static func name(in block: [UInt8]) -> [UInt8] {
    func text(_ range: Range<Int>) -> [UInt8] { Array(block[range].prefix { $0 != 0 }) }
    // In GNU's format, times are where POSIX's has the prefix.
    let prefix = Array(block[TarField.magic]) == TarField.magicText ? text(TarField.prefix) : []
    return prefix.isEmpty ? text(TarField.name) : prefix + [UInt8(ascii: "/")] + text(TarField.name)
  }

  /// A number in octal digits or GNU's binary form; 0 if it is neither, or more than is ever inspected.
  private static func number(_ field: ArraySlice<UInt8>) -> Int {
    if field.first == 0x80 {
      let value = field.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return value <= UInt64(Int32.max) << 8 ? Int(value) : 0
    }
    let digits = field.drop { $0 == 0x20 || $0 == 0 }.prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    return digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
  }

  /// The path in the records of an extended header.
  private static func path(inRecords records: [UInt8]) -> [UInt8]? {
    var path: [UInt8]?
    for line in records.split(separator: UInt8(ascii: "\n")) {
      guard let space = line.firstIndex(of: 0x20), line[(space + 1)...].starts(with: "path=".utf8) else { continue }
      path = Array(line[(space + 6)...])
    }
    return path
  }
}
