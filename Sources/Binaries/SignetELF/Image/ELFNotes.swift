internal import SignetBase

/// The notes of a library (gABI, "Note Section"; elf(5), Nhdr): its build-id from the linker, and its demands on the
/// system.
struct ELFNotes: Sendable {
  /// The build-ids of all notes (NT_GNU_BUILD_ID of "GNU"); a sound library has exactly one.
  private(set) var buildIDs: [[UInt8]] = []
  /// The demands that not every system of the platform meets.
  private(set) var demands: [String] = []

  /// The maximum size of all notes in bytes. Build-id, properties and packagers' remarks take some hundreds.
  private static let sizeLimit = 64 * 1024
  /// The maximum length of a build-id in bytes, which is the length of the longest digest.
  private static let buildIDLimit = 64
  private static let headSize = 12

  private enum Kind: UInt32 {
    /// NT_GNU_ABI_TAG.
    case system = 1
    /// NT_GNU_BUILD_ID.
    case buildID = 3
    /// NT_GNU_PROPERTY_TYPE_0.
    case properties = 5
  }

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(_ segments: [ELFSegment], _ machine: ELFMachine, _ file: ELFFile) throws(SignetError) {
    let notes = segments.filter { $0.kind == .note }
    // The properties are usually one of the notes.
    let properties = segments.filter { property in
      property.kind == .property && !notes.contains { $0.range == property.range }
    }
    guard (notes + properties).reduce(0, { $0 + min($1.fileSize, Self.sizeLimit + 1) }) <= Self.sizeLimit else {
      throw file.malformed("has too many notes", expected: "at most \(Self.sizeLimit) bytes")
    }
    for note in notes + properties {
      let bytes = try file.bytes(at: note.offset, note.fileSize)
      // Notes with properties are aligned to 8 bytes, all others to 4.
      try read(bytes, alignment: note.alignment == 8 ? 8 : 4, machine, file)
    }
  }

  private mutating func read(
    _ notes: ELFBytes, alignment: Int, _ machine: ELFMachine, _ file: ELFFile
  ) throws(SignetError) {
    var start = 0
    while start < notes.count {
      guard notes.count - start >= Self.headSize else { throw file.malformed("has a truncated note") }
      let (nameSize, size) = (Int(notes.u32(start)), Int(notes.u32(start + 4)))
      let content = Self.rounded(start + Self.headSize + nameSize, alignment)
      // The last note need not be padded.
      guard content <= notes.count, size <= notes.count - content else {
        throw file.malformed("has a truncated note")
      }
      let name = notes.bytes[(start + Self.headSize)..<(start + Self.headSize + nameSize)]
      if name.elementsEqual("GNU\0".utf8) {
        try take(
          Kind(rawValue: notes.u32(start + 8)), note: ELFBytes(Array(notes.bytes[content..<content + size])),
          for: machine, in: file)
      }
      start = Self.rounded(content + size, alignment)
    }
  }

  private mutating func take(
    _ kind: Kind?, note: ELFBytes, for machine: ELFMachine, in file: ELFFile
  ) throws(SignetError) {
    switch kind {
    case .buildID:
      guard (1...Self.buildIDLimit).contains(note.count) else {
        throw file.malformed("has a build ID of an invalid length", found: "\(note.count) bytes")
      }
      buildIDs.append(note.bytes)
    case .system: try takeSystem(note, file)
    case .properties: try takeProperties(note, machine, file)
    case nil: return
    }
  }

  /// The oldest kernel on which glibc runs: 3.2, and 3.7 on AArch64.
  ///
  /// Programs and glibc state it; other libraries do not.
  private static let oldestKernel = (3, 7)

  /// Reads the number of the system and the version of its kernel; before 2.36, glibc refuses a library for another
  /// system.
  private mutating func takeSystem(_ note: ELFBytes, _ file: ELFFile) throws(SignetError) {
    guard note.count >= 16 else { throw file.malformed("has a truncated note") }
    let (system, major, minor) = (note.u32(0), Int(note.u32(4)), Int(note.u32(8)))
    guard system == 0 else { return demands.append("system \(system)") }
    if (major, minor) > Self.oldestKernel { demands.append("Linux \(major).\(minor)") }
  }

  /// Reads properties: a number, a size, and that many bytes, padded to 8. glibc reads up to the size of the note.
  private mutating func takeProperties(
    _ note: ELFBytes, _ machine: ELFMachine, _ file: ELFFile
  ) throws(SignetError) {
    var start = 0
    while start < note.count {
      guard note.count - start >= 8, Int(note.u32(start + 4)) <= note.count - start - 8 else {
        throw file.malformed("has a truncated property")
      }
      let (kind, size) = (note.u32(start), Int(note.u32(start + 4)))
      // GNU_PROPERTY_X86_ISA_1_NEEDED: each bit is a level of x86-64, of which every processor has the first (psABI,
      // "Micro-Architecture Levels").
      if machine == .x86, kind == 0xc000_8002 {
        guard size == 4 else { throw file.malformed("has a truncated property") }
        let levels = note.u32(start + 8)
        if levels & ~1 != 0 { demands.append(Self.level(levels)) }
      }
      start = Self.rounded(start + 8 + size, 8)
    }
  }

  private static func level(_ bits: UInt32) -> String {
    let highest = 32 - bits.leadingZeroBitCount
    return highest <= 4 ? "x86-64-v\(highest)" : "levels of x86-64 that are not known"
  }

  private static func rounded(_ offset: Int, _ alignment: Int) -> Int {
    (offset + alignment - 1) & ~(alignment - 1)
  }
}
