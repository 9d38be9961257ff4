internal import SignetBase

/// The source of a loaded image's bytes (gABI, "Program Header", PT_LOAD; "Program Loading").
///
/// The dynamic linker finds its tables by their addresses, so they are looked up here in the same way. If an offset
/// in a header said otherwise, it would show different bytes from those that are used.
struct ELFMemory: Sendable {
  /// The limit for addresses in a file.
  ///
  /// Linkers begin at 0. Prelinked libraries, which have a place of their own, begin below this. The base of a library
  /// is its place in memory less its first address. Linux places libraries above this limit even where a process has
  /// only 39 bits of addresses, so bases are not negative.
  static let addressLimit: UInt64 = 1 << 38
  /// The maximum size of an image in bytes. Code reaches its data within 2 GiB on x86-64 and 4 GiB on AArch64 (small
  /// code models).
  static let sizeLimit: UInt64 = 1 << 32
  /// The smallest page size.
  private static let smallestPage: UInt64 = 4096
  /// The largest alignment of a segment, which is the size of the largest pages of x86-64 and AArch64.
  ///
  /// The dynamic linker reserves that much address space before it maps anything.
  private static let alignmentLimit: UInt64 = 1 << 30
  /// The maximum size of thread-local variables in bytes.
  ///
  /// The largest library known, the runtime of the thread sanitizer, has 0.8 MiB. If a thread gets no memory for
  /// them, glibc ends the process.
  private static let threadSizeLimit: UInt64 = 16 << 20
  /// The largest alignment of thread-local variables; glibc allocates that many bytes more than it needs.
  private static let threadAlignmentLimit: UInt64 = 4096

  /// The segments that are loaded, in the order of their addresses.
  let loads: [ELFSegment]

  /// - Throws: `elf.malformed`.
  init(_ segments: [ELFSegment], _ machine: ELFMachine, _ file: ELFFile) throws(SignetError) {
    loads = segments.filter { $0.kind == .load }
    guard let first = loads.first else { throw file.malformed("has no segment to load") }
    for load in loads { try Self.checkSegment(load, file) }
    let page = loads.reduce(machine.largestPage) { min($0, $1.alignment) }
    var end: UInt64 = 0
    for load in loads {
      // The linker rounds to pages and maps each segment over the previous one. On a shared page it would find other
      // bytes than this lookup. Segments out of order would be mapped over the host.
      guard load.address & ~(page - 1) >= end else {
        throw file.malformed("has segments that overlap or are not in order", found: "address \(load.address)")
      }
      end = Self.rounded(load.address + load.memorySize, to: page)
    }
    guard end <= Self.addressLimit else {
      throw file.malformed(
        "has addresses that are too high", expected: "at most 0x\(String(Self.addressLimit, radix: 16))",
        found: "0x\(String(end, radix: 16))")
    }
    guard end - first.address <= Self.sizeLimit else {
      throw file.malformed(
        "takes too much memory", expected: "at most \(Self.sizeLimit) bytes", found: "\(end - first.address)")
    }
    for segment in segments { try checkPlace(of: segment, file) }
  }

  private static func checkSegment(_ load: ELFSegment, _ file: ELFFile) throws(SignetError) {
    guard load.memorySize > 0, load.address < addressLimit, load.memorySize <= sizeLimit,
      UInt64(load.fileSize) <= load.memorySize
    else { throw file.malformed("has a segment with an impossible size in memory") }
    // The dynamic linker fills the rest of the last page with zeros. Only if the segment grows in memory would it
    // have to write to a read-only segment.
    guard load.isWritable || UInt64(load.fileSize) == load.memorySize else {
      throw file.malformed("has a segment that grows in memory and is not writable")
    }
    guard load.alignment >= smallestPage, load.alignment <= alignmentLimit,
      (load.address &- UInt64(load.offset)) & (load.alignment - 1) == 0
    else {
      throw file.malformed(
        "has a segment that is not aligned to pages", expected: "at least \(smallestPage)",
        found: "\(load.alignment)")
    }
  }

  /// Checks that a segment which is found by its address is in the file, and that memory which becomes read-only
  /// belongs to the image.
  private func checkPlace(of segment: ELFSegment, _ file: ELFFile) throws(SignetError) {
    switch segment.kind {
    case nil, .load, .stack: return
    case .readOnly:
      // The dynamic linker makes memory read-only by removing all other rights, so code in it could not run any more.
      let isInside = loads.contains { load in
        guard load.isWritable, !load.isExecutable else { return false }
        // On a system with small pages, nothing is mapped behind the last of them, and the dynamic linker would fail
        // after other libraries have run.
        let end = Self.rounded(load.address + load.memorySize, to: Self.smallestPage)
        return segment.address >= load.address && segment.address <= end
          && segment.memorySize <= end - segment.address
      }
      guard isInside else { throw file.malformed("protects memory outside its segments") }
    case .dynamic, .interpreter, .note, .programHeaders, .threadLocal, .exceptions, .property:
      try checkUse(of: segment, file)
      guard segment.fileSize > 0 else { return }
      guard offset(of: segment.address, UInt64(segment.fileSize)) == segment.offset else {
        throw file.malformed("has a program header whose address and offset disagree")
      }
    }
  }

  /// Checks that the dynamic linker can use a segment as it does, apart from reading it.
  private func checkUse(of segment: ELFSegment, _ file: ELFFile) throws(SignetError) {
    switch segment.kind {
    case .dynamic:
      // The dynamic linker relocates the table's addresses, unless the header says that the table is read-only.
      guard !segment.isWritable || load(at: segment.address)?.isWritable ?? true else {
        throw file.malformed("has a dynamic table that is said to be writable, in a segment that is not")
      }
    case .note, .property:
      // The dynamic linker reads notes up to the end of their size in memory.
      guard segment.memorySize == UInt64(segment.fileSize) else {
        throw file.malformed("has notes of another size in memory than in the file")
      }
    case .threadLocal where segment.memorySize > 0:
      // The dynamic linker divides by the alignment.
      guard (1...Self.threadAlignmentLimit).contains(segment.alignment), segment.memorySize <= Self.threadSizeLimit
      else {
        throw file.malformed(
          "has thread-local variables with an impossible size or alignment",
          expected: "at most \(Self.threadSizeLimit) bytes, aligned to 1 to \(Self.threadAlignmentLimit)",
          found: "\(segment.memorySize) bytes, aligned to \(segment.alignment)")
      }
    default: return
    }
  }

  /// - Parameter size: a power of two.
  private static func rounded(_ address: UInt64, to size: UInt64) -> UInt64 {
    let (sum, overflow) = address.addingReportingOverflow(size - 1)
    return overflow ? UInt64.max : sum & ~(size - 1)
  }

  /// The file offset of the bytes that have an address in the loaded image.
  ///
  /// The result is nil unless all of them come from the file, from one readable segment.
  func offset(of address: UInt64, _ size: UInt64) -> Int? {
    guard let load = load(at: address), load.isReadable else { return nil }
    let distance = address - load.address
    guard distance <= UInt64(load.fileSize), size <= UInt64(load.fileSize) - distance else { return nil }
    return load.offset + Int(distance)
  }

  /// The segment that contains an address.
  func load(at address: UInt64) -> ELFSegment? {
    loads.first { address >= $0.address && address - $0.address < $0.memorySize }
  }

  /// Whether an address is in code.
  func isCode(_ address: UInt64) -> Bool { load(at: address)?.isExecutable ?? false }

  /// Whether a symbol that the image defines is code.
  func isCode(of symbol: ELFSymbol) -> Bool {
    symbol.isDefined && !symbol.isAbsolute && symbol.kind != .threadLocal && isCode(symbol.value)
  }

  /// The number of bytes in the file from an address to the end of its segment.
  func fileBytes(from address: UInt64) -> Int {
    guard let load = load(at: address) else { return 0 }
    let distance = address - load.address
    return distance >= UInt64(load.fileSize) ? 0 : load.fileSize - Int(distance)
  }
}
