@testable import SignetELF

/// A library of any class and byte order with the tables that a profile reads, made without a compiler.
struct SyntheticELF {
  var is64Bit = true
  var isBigEndian = false
  var machine: UInt16 = 62
  var type: UInt16 = 3
  /// The flags of the stack; nil for no statement.
  var stackFlags: UInt32? = 6
  /// The flags of the segment with everything.
  var loadFlags: UInt32 = 5
  var hasReadOnlyRelocations = true
  /// DT_FLAGS and DT_FLAGS_1.
  var flags: (UInt64, UInt64) = (8, 1)
  var needed = ["libone.so.1", "libc.so.6"]
  var runPath: String? = "$ORIGIN/../lib"
  /// The symbols that it needs from others.
  var imports = ["__stack_chk_fail", "__memcpy_chk", "printf"]
  var buildID: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

  static let address: UInt64 = 0x10000

  /// All forms of the same library: both classes, both byte orders.
  static let forms: [SyntheticELF] = [
    SyntheticELF(), SyntheticELF(is64Bit: false, machine: 3),
    SyntheticELF(is64Bit: true, isBigEndian: true, machine: 22),
    SyntheticELF(is64Bit: false, isBigEndian: true, machine: 20),
  ]

  private var wordSize: Int { is64Bit ? 8 : 4 }

  /// The file: header, program headers, strings, symbols, hash table, notes, and the dynamic table.
  func bytes() -> [UInt8] {
    var strings: [UInt8] = [0]
    func name(_ text: String) -> UInt64 {
      let offset = strings.count
      strings += Array(text.utf8) + [0]
      return UInt64(offset)
    }
    let neededNames = needed.map(name)
    let importedNames = imports.map(name)
    let runPathName = runPath.map(name)
    let soname = name("libself.so")
    while strings.count % 8 != 0 { strings.append(0) }

    let headers = (is64Bit ? 64 : 52) + 5 * (is64Bit ? 56 : 32)
    let start = (headers + 7) / 8 * 8
    let symbols = ([0] + importedNames).flatMap(symbol)
    let hash = hashTable(count: imports.count + 1)
    let symbolsStart = start + strings.count
    let hashStart = (symbolsStart + symbols.count + 7) / 8 * 8
    let noteStart = (hashStart + hash.count + 7) / 8 * 8
    let note = number(4, 4) + number(UInt64(buildID.count), 4) + number(3, 4) + Array("GNU\0".utf8) + buildID
    let dynamicStart = (noteStart + note.count + 7) / 8 * 8

    var entries: [(UInt64, UInt64)] = neededNames.map { (1, $0) }
    entries += [
      (14, soname), (5, Self.address + UInt64(start)), (10, UInt64(strings.count)),
      (6, Self.address + UInt64(symbolsStart)), (4, Self.address + UInt64(hashStart)), (30, flags.0),
      (0x6fff_fffb, flags.1),
    ]
    if let runPathName { entries.append((29, runPathName)) }
    let dynamic = (entries + [(0, 0)]).flatMap { number($0.0, wordSize) + number($0.1, wordSize) }
    let size = dynamicStart + dynamic.count

    var bytes = header(segments: 5)
    bytes += segment(1, flags: loadFlags, 0, size)
    bytes += segment(2, flags: 6, dynamicStart, dynamic.count)
    bytes += segment(4, flags: 4, noteStart, note.count)
    bytes += segment(stackFlags == nil ? 0 : 0x6474_e551, flags: stackFlags ?? 0, 0, 0)
    bytes += segment(hasReadOnlyRelocations ? 0x6474_e552 : 0, flags: 4, dynamicStart, dynamic.count)
    for (place, part) in [
      (start, strings), (symbolsStart, symbols), (hashStart, hash), (noteStart, note), (dynamicStart, dynamic),
    ] {
      bytes += [UInt8](repeating: 0, count: place - bytes.count) + part
    }
    return bytes
  }

  func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  private func header(segments: UInt64) -> [UInt8] {
    let size = is64Bit ? 64 : 52
    var bytes: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, is64Bit ? 2 : 1, isBigEndian ? 2 : 1, 1]
    bytes += [UInt8](repeating: 0, count: 9)
    bytes += number(UInt64(type), 2) + number(UInt64(machine), 2) + number(1, 4)
    bytes += number(0, wordSize) + number(UInt64(size), wordSize) + number(0, wordSize)
    bytes += number(0, 4) + number(UInt64(size), 2) + number(is64Bit ? 56 : 32, 2) + number(segments, 2)
    return bytes + number(is64Bit ? 64 : 40, 2) + number(0, 2) + number(0, 2)
  }

  private func segment(_ kind: UInt64, flags: UInt32, _ offset: Int, _ size: Int) -> [UInt8] {
    let address = Self.address + UInt64(offset)
    let places = [UInt64(offset), address, address, UInt64(size), UInt64(size)].flatMap { number($0, wordSize) }
    let flags = number(UInt64(flags), 4)
    return number(kind, 4) + (is64Bit ? flags + places : places + flags) + number(kind == 1 ? 0x1000 : 4, wordSize)
  }

  /// A global function that is not defined here.
  private func symbol(_ name: UInt64) -> [UInt8] {
    let info: [UInt8] = [name == 0 ? 0 : 0x12, 0]
    let section = number(0, 2)
    return is64Bit
      ? number(name, 4) + info + section + number(0, 8) + number(0, 8)
      : number(name, 4) + number(0, 4) + number(0, 4) + info + section
  }

  /// DT_HASH with one bucket, whose chain has all symbols. On 64-bit S/390, its numbers have 64 bits.
  private func hashTable(count: Int) -> [UInt8] {
    let size = machine == 22 && is64Bit ? 8 : 4
    let chains = (0..<count).map { $0 + 1 < count && $0 > 0 ? UInt64($0 + 1) : 0 }
    return ([1, UInt64(count), count > 1 ? 1 : 0] + chains).flatMap { number($0, size) }
  }
}
