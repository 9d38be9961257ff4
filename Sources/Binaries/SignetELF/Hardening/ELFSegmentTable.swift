internal import SignetBase

/// The program headers of a program or library of either class (gABI, "Program Header"; elf(5), Phdr).
struct ELFSegmentTable: Sendable {
  /// The maximum size of all program headers in bytes; Linux runs no program that has more.
  private static let sizeLimit = 64 << 10

  /// All segments, in the order of the table.
  let all: [Segment]
  /// Those that are loaded. Their bytes are all in the file.
  let loads: [Segment]
  /// The end of the program headers in the file.
  private let end: Int
  /// Whether the segments can be in files of their own, as in firmware of Qualcomm: the hashes of all segments are in
  /// one that no other system knows.
  let isSplit: Bool

  /// A part of the file that has a use when the program runs.
  struct Segment: Sendable {
    /// The kind; nil for one that has no meaning here.
    let kind: ELFSegment.Kind?
    let flags: UInt32
    let offset: UInt64
    let address: UInt64
    let physicalAddress: UInt64
    let fileSize: UInt64
    let memorySize: UInt64
    let alignment: UInt64

    var isWritable: Bool { flags & 2 != 0 }
    var isExecutable: Bool { flags & 1 != 0 }

    /// Whether it goes on where another one ends, in the file and in memory.
    fileprivate func follows(_ other: Segment) -> Bool {
      offset > other.offset && offset - other.offset == other.fileSize && address > other.address
        && address - other.address == other.fileSize
    }

    /// Whether it has the headers or the hashes of Qualcomm's firmware: PT_NULL with 7 or 2 in bits 24 to 26 of the
    /// flags.
    fileprivate var isOfQualcomm: Bool { isUnused && [7, 2].contains(flags >> 24 & 7) }
    private let isUnused: Bool

    /// Reads a header. The two classes have the flags in different places.
    init(_ table: ELFNumbers, _ start: Int) {
      let word = table.form.wordSize
      let words = start + (table.form.is64Bit ? 8 : 4)
      kind = ELFSegment.Kind(rawValue: table.u32(start))
      isUnused = table.u32(start) == 0
      offset = table.word(words)
      address = table.word(words + word)
      physicalAddress = table.word(words + 2 * word)
      fileSize = table.word(words + 3 * word)
      memorySize = table.word(words + 4 * word)
      flags = table.u32(table.form.is64Bit ? start + 4 : words + 5 * word)
      alignment = table.word(words + 5 * word + (table.form.is64Bit ? 0 : 4))
    }
  }

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(_ file: ELFFile, _ head: ELFHead) throws(SignetError) {
    let (stated, form) = (head.segments, head.form)
    guard stated.count > 0 else {
      throw file.malformed("has no program headers", expected: "those of a program or a library")
    }
    guard stated.entrySize == form.segmentSize else {
      throw file.malformed(
        "has program headers of an unknown size", expected: "\(form.segmentSize) bytes",
        found: "\(stated.entrySize) bytes")
    }
    guard stated.count <= Self.sizeLimit / form.segmentSize else {
      throw file.malformed(
        "has too many program headers", expected: "at most \(Self.sizeLimit / form.segmentSize)",
        found: "\(stated.count)")
    }
    guard let range = file.range(stated.offset, UInt64(stated.count * form.segmentSize)) else {
      throw file.malformed("has program headers that are not in the file", found: "offset \(stated.offset)")
    }
    end = range.upperBound
    let table = try file.numbers(at: range.lowerBound, range.count, form)
    all = stride(from: 0, to: table.count, by: form.segmentSize).map { Segment(table, $0) }
    loads = all.filter { $0.kind == .load }
    isSplit = all.contains { $0.isOfQualcomm }
    for load in loads where load.fileSize > 0 && !isSplit {
      guard file.range(load.offset, load.fileSize) != nil else {
        throw file.malformed(
          "is truncated", expected: "\(load.fileSize) bytes at \(load.offset)", found: "\(file.size) bytes in all")
      }
    }
  }

  /// The first segment of a kind.
  subscript(kind: ELFSegment.Kind) -> Segment? { all.first { $0.kind == kind } }

  /// Whether an address is in memory once the segments are loaded.
  func haveLoaded(_ address: UInt64) -> Bool {
    loads.contains { address >= $0.address && address - $0.address < $0.memorySize }
  }

  /// Whether the executable segments have no more bytes in the file than headers and notes, as in a file of symbols.
  var lackCode: Bool {
    let notes = all.filter { $0.kind == .note }.map { $0.offset.addingReportingOverflow($0.fileSize) }
    let end = notes.reduce(UInt64(end)) { $1.overflow ? $0 : max($0, $1.partialValue) }
    return loads.allSatisfy { !$0.isExecutable || $0.fileSize == 0 || $0.offset + $0.fileSize <= end }
  }

  /// The range in the file from the byte with an address to the end of its segment, and of those that go on where it
  /// ends; nil if that byte is not in the file.
  ///
  /// The dynamic linker finds its tables by their addresses, so they are looked up here in the same way. patchelf puts a
  /// table across two segments.
  func range(from address: UInt64) -> Range<Int>? {
    guard let load = loads.first(where: { address >= $0.address && address - $0.address < $0.fileSize }) else {
      return nil
    }
    var last = load
    while last.fileSize == last.memorySize, let next = loads.first(where: { $0.fileSize > 0 && $0.follows(last) }) {
      last = next
    }
    // The segments are in the file, so its numbers are small.
    return Int(load.offset + (address - load.address))..<Int(last.offset + last.fileSize)
  }
}
