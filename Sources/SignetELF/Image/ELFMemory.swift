internal import SignetBase

/// Where a loaded image's bytes come from (gABI, "Program Header", PT_LOAD; "Program Loading").
///
/// The dynamic linker finds its tables by their addresses, so that is how they are looked for here: an offset in a header
/// that says otherwise would show other bytes than those that count.
struct ELFMemory: Sendable {
  /// Addresses are below this: what a process on Linux has at most without asking for more.
  static let addressLimit: UInt64 = 1 << 47
  /// Bytes of an image at most. Code reaches its data within 2 GiB on x86-64 and 4 GiB on AArch64 (small code models).
  static let sizeLimit: UInt64 = 1 << 32
  /// The smallest pages there are.
  private static let smallestPage: UInt64 = 4096
  /// The largest alignment of a segment, the size of the largest pages of x86-64 and AArch64: the dynamic linker reserves that
  /// much address space before it maps anything.
  private static let alignmentLimit: UInt64 = 1 << 30
  /// Bytes of variables that each thread has for itself. The largest library known, the runtime of the thread sanitizer, has
  /// 0.8 MiB; glibc ends the process when a thread gets no memory for them.
  private static let threadSizeLimit: UInt64 = 16 << 20
  /// The largest alignment of such variables. glibc allocates that much more than it needs.
  private static let threadAlignmentLimit: UInt64 = 4096

  /// The segments that are loaded, by address.
  let loads: [ELFSegment]

  /// - Throws: `elf.malformed`.
  init(_ segments: [ELFSegment], _ machine: ELFMachine, _ file: ELFFile) throws(SignetError) {
    loads = segments.filter { $0.kind == .load }
    guard let first = loads.first else { throw file.malformed("has no segment to load") }
    for load in loads { try Self.checkSegment(load, file) }
    let page = loads.reduce(machine.largestPage) { min($0, $1.alignment) }
    var end: UInt64 = 0
    for load in loads {
      // The linker rounds to pages and puts each segment over the one before: on a shared page, other bytes would be
      // found than those that are looked up here. Segments that are not in order would be put over the host.
      guard load.address & ~(page - 1) >= end else {
        throw file.malformed("has segments that overlap or are not in order", found: "address \(load.address)")
      }
      end = Self.rounded(load.address + load.memorySize, to: page)
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
    // The dynamic linker makes the rest of the last page zero: only then would it have to write to a segment that is read-only.
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

  /// What is found by its address has to be there, and what is made read-only after loading has to belong to the image.
  private func checkPlace(of segment: ELFSegment, _ file: ELFFile) throws(SignetError) {
    switch segment.kind {
    case nil, .load, .stack: return
    case .readOnly:
      // The dynamic linker makes it read-only by taking every other right away: code in it would not run any more.
      let isInside = loads.contains { load in
        guard load.isWritable, !load.isExecutable else { return false }
        let end = Self.rounded(load.address + load.memorySize, to: load.alignment)
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

  /// What the dynamic linker does with a segment, beside reading it, has to be possible.
  private func checkUse(of segment: ELFSegment, _ file: ELFFile) throws(SignetError) {
    switch segment.kind {
    case .dynamic:
      // It turns the table's addresses into those of the process, unless the header says that the table is read-only.
      guard !segment.isWritable || load(at: segment.address)?.isWritable ?? true else {
        throw file.malformed("has a dynamic table that is said to be writable, in a segment that is not")
      }
    case .note, .property:
      // It reads notes up to the end that they have in memory.
      guard segment.memorySize == UInt64(segment.fileSize) else {
        throw file.malformed("has notes of another size in memory than in the file")
      }
    case .threadLocal where segment.memorySize > 0:
      // It divides by the alignment.
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

  /// Where in the file the bytes are that an address has when the image is loaded; nil unless all of them come from the
  /// file, from one segment that can be read.
  func offset(of address: UInt64, _ size: UInt64) -> Int? {
    guard let load = load(at: address), load.isReadable else { return nil }
    let distance = address - load.address
    guard distance <= UInt64(load.fileSize), size <= UInt64(load.fileSize) - distance else { return nil }
    return load.offset + Int(distance)
  }

  /// The segment that an address lies in.
  func load(at address: UInt64) -> ELFSegment? {
    loads.first { address >= $0.address && address - $0.address < $0.memorySize }
  }

  /// Whether an address is that of code.
  func isCode(_ address: UInt64) -> Bool { load(at: address)?.isExecutable ?? false }

  /// How many bytes the file has from an address to the end of its segment.
  func fileBytes(from address: UInt64) -> Int {
    guard let load = load(at: address) else { return 0 }
    let distance = address - load.address
    return distance >= UInt64(load.fileSize) ? 0 : load.fileSize - Int(distance)
  }
}
