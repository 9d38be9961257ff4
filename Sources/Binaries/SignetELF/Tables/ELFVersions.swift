internal import SignetBase

/// The versions that an image's symbols have and need (LSB Core, "Symbol Versioning").
///
/// The dynamic linker of glibc follows the chains of these tables without checking the counts, and uses a symbol's
/// number as an index without a check. It ends the process if a needed version belongs to a library that has no
/// versions. So all of this is checked here.
package struct ELFVersions: Sendable {
  /// A version that another library must have.
  package struct Need: Sendable {
    /// The name under which the library is needed.
    package let library: String
    /// The name of the version.
    package let name: String
  }

  /// The versions that other libraries must have.
  package let needs: [Need]
  /// The versions that the image defines; the first one is the image's own name.
  package let definitions: [String]
  /// The ranges of the tables in the file: the records of needed and defined versions, and the numbers of the
  /// symbols.
  let ranges: [Range<Int>]
  private let names: [Int: String]
  private let numbers: ELFBytes?

  /// The version of a symbol, by the symbol's number; nil if it has none.
  package func version(of symbol: Int) -> String? {
    guard let numbers, symbol >= 0, symbol < numbers.count / 2 else { return nil }
    return names[Int(numbers.u16(symbol * 2) & Self.numberMask)]
  }

  /// The number of a symbol's version, as in the table: 0 for a local symbol, 1 for a symbol without a version; nil
  /// if there is no table.
  package func number(of symbol: Int) -> Int? {
    guard let numbers, symbol >= 0, symbol < numbers.count / 2 else { return nil }
    return Int(numbers.u16(symbol * 2) & Self.numberMask)
  }

  /// Whether a symbol is found only by references that name its version.
  package func isHidden(_ symbol: Int) -> Bool {
    guard let numbers, symbol >= 0, symbol < numbers.count / 2 else { return false }
    return numbers.u16(symbol * 2) & ~Self.numberMask != 0
  }

  /// The mask of the number; the highest bit hides a definition from references that do not name its version.
  private static let numberMask: UInt16 = 0x7fff

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(
    _ dynamic: ELFDynamicTable, memory: ELFMemory, symbols: Int, strings: ELFStrings, in file: ELFFile
  ) throws(SignetError) {
    var reader = ELFVersionReader(memory: memory, strings: strings, file: file)
    let needs = try reader.needs(dynamic)
    let definitions = try reader.definitions(dynamic)
    self.needs = needs.map(\.need)
    self.definitions = definitions.map(\.name)
    var names: [Int: String] = [:]
    for (number, name) in needs.map({ ($0.number, $0.need.name) }) + definitions.map({ ($0.number, $0.name) }) {
      guard number > 0, names.updateValue(name, forKey: number) == nil else {
        throw file.malformed("has two versions with one number", found: "\(number)")
      }
    }
    let highest = names.keys.max() ?? 0
    // Number 1 belongs to all symbols without a version.
    names[1] = nil
    self.names = names
    guard let address = dynamic[.versions] else {
      numbers = nil
      ranges = reader.ranges
      return
    }
    guard let offset = memory.offset(of: address, UInt64(symbols * 2)) else {
      throw file.malformed("has versions of symbols that are not in the file")
    }
    let numbers = try file.bytes(at: offset, symbols * 2)
    for symbol in 0..<symbols {
      let number = Int(numbers.u16(symbol * 2) & Self.numberMask)
      guard number > 1 ? names[number] == nil : number > highest else { continue }
      throw file.malformed("has a symbol of a version that it does not have", found: "symbol \(symbol)")
    }
    // Without versions the linker has no list in which to look up a number, not even the first.
    guard highest > 0 || symbols == 0 else {
      throw file.malformed("has version numbers but no versions")
    }
    self.numbers = numbers
    ranges = reader.ranges + [offset..<offset + symbols * 2]
  }
}

/// Follows the chains of an image's tables of versions.
private struct ELFVersionReader {
  let memory: ELFMemory
  let strings: ELFStrings
  let file: ELFFile
  /// VER_FLG_BASE, the flag of the version that is the file itself.
  private static let isOfFile: UInt16 = 1
  /// The maximum number of records. glibc's own library has some forty versions.
  private var rest = 4096
  /// The ranges that were read.
  private(set) var ranges: [Range<Int>] = []

  init(memory: ELFMemory, strings: ELFStrings, file: ELFFile) {
    self.memory = memory
    self.strings = strings
    self.file = file
  }

  /// DT_VERNEED: a record for each library, and an auxiliary record for each of its versions.
  mutating func needs(
    _ dynamic: ELFDynamicTable
  ) throws(SignetError) -> [(number: Int, need: ELFVersions.Need)] {
    let needed = Set(
      try dynamic.all(.needed).map { (offset) throws(SignetError) in try strings.name(at: offset, file) })
    var found: [(Int, ELFVersions.Need)] = []
    var count: UInt64 = 0
    var next = dynamic[.versionNeeds]
    while let address = next {
      let record = try bytes(at: address, 16)
      try checkForm(of: record)
      let library = try strings.name(at: UInt64(record.u32(4)), file)
      guard needed.contains(where: { $0.isExactly(library) }) else {
        throw file.malformed("needs a version of a library that it does not need", found: library)
      }
      var auxiliary = follow(address, record.u32(8))
      while let place = auxiliary {
        let version = try bytes(at: place, 16)
        let name = try name(version.u32(8), hash: version.u32(0))
        let number = Int(version.u16(6) & 0x7fff)
        // The first two numbers belong to local symbols and to symbols without a version.
        guard number > 1 else { throw file.malformed("needs a version by a number that no version has") }
        found.append((number, ELFVersions.Need(library: library, name: name)))
        auxiliary = follow(place, version.u32(12))
      }
      count += 1
      next = follow(address, record.u32(12))
    }
    try checkCount(count, dynamic[.versionNeedCount])
    return found
  }

  /// DT_VERDEF: a record for each version, whose first auxiliary record has the name.
  mutating func definitions(_ dynamic: ELFDynamicTable) throws(SignetError) -> [(number: Int, name: String)] {
    var found: [(Int, String)] = []
    var count: UInt64 = 0
    var next = dynamic[.versionDefinitions]
    while let address = next {
      let record = try bytes(at: address, 20)
      try checkForm(of: record)
      guard let place = follow(address, record.u32(12)) else { throw file.malformed("has a version without a name") }
      let auxiliary = try bytes(at: place, 8)
      let number = Int(record.u16(4) & 0x7fff)
      // The dynamic linker leaves out the version of the file itself, and only that, when it looks for a symbol.
      guard (number == 1) == (record.u16(2) & Self.isOfFile != 0) else {
        throw file.malformed(
          "has a version of the file itself by a number that other versions have", found: "\(number)")
      }
      found.append((number, try name(auxiliary.u32(0), hash: record.u32(8))))
      count += 1
      next = follow(address, record.u32(16))
    }
    try checkCount(count, dynamic[.versionDefinitionCount])
    return found
  }

  private mutating func bytes(at address: UInt64, _ count: Int) throws(SignetError) -> ELFBytes {
    rest -= 1
    guard rest >= 0 else { throw file.malformed("has too many versions") }
    guard let offset = memory.offset(of: address, UInt64(count)) else {
      throw file.malformed("has versions that are not in the file")
    }
    ranges.append(offset..<offset + count)
    return try file.bytes(at: offset, count)
  }

  /// Offsets count from the record that has them; zero ends the chain. Addresses are far too small to overflow.
  private func follow(_ address: UInt64, _ offset: UInt32) -> UInt64? { offset == 0 ? nil : address + UInt64(offset) }

  private func checkForm(of record: ELFBytes) throws(SignetError) {
    guard record.u16(0) == 1 else {
      throw file.malformed("has versions of an unknown form", expected: "1", found: "\(record.u16(0))")
    }
  }

  private func checkCount(_ count: UInt64, _ expected: UInt64?) throws(SignetError) {
    guard count == expected ?? 0 else {
      throw file.malformed(
        "has another number of versions than it says", expected: "\(expected ?? 0)", found: "\(count)")
    }
  }

  /// Reads a name and checks its hash, which the linker compares first.
  private func name(_ offset: UInt32, hash: UInt32) throws(SignetError) -> String {
    let name = try strings.name(at: UInt64(offset), file)
    guard !name.isEmpty, hash == ELFHashCheck.hash(name.utf8) else {
      throw file.malformed("has a version whose name and hash do not agree", found: name)
    }
    return name
  }
}
