internal import SignetCrypto

/// Notes (gABI, "Note Section"; elf(5), Nhdr): here, the number that a linker gives each library that it makes.
enum ELFNotes {
  /// Bytes of notes at most. Build-id, properties and packagers' remarks take some hundreds.
  private static let sizeLimit = 64 * 1024
  /// Bytes of a build-id at most: as many as the longest digest has.
  private static let buildIDLimit = 64
  private static let headSize = 12

  /// The build-ids of all notes (NT_GNU_BUILD_ID of "GNU"): one, in a sound library.
  ///
  /// - Throws: `elf.malformed`; `file.…` when the file cannot be read.
  static func buildIDs(_ segments: [ELFSegment], _ file: ELFFile) throws(SignetError) -> [[UInt8]] {
    let notes = segments.filter { $0.kind == .note }
    guard notes.reduce(0, { $0 + min($1.fileSize, sizeLimit + 1) }) <= sizeLimit else {
      throw file.malformed("has too many notes", expected: "at most \(sizeLimit) bytes")
    }
    var found: [[UInt8]] = []
    for note in notes {
      let bytes = try file.bytes(at: note.offset, note.fileSize)
      // Notes of properties are aligned to 8 bytes, all others to 4.
      found += try buildIDs(in: bytes, alignment: note.alignment == 8 ? 8 : 4, file)
    }
    return found
  }

  private static func buildIDs(
    in notes: ELFBytes, alignment: Int, _ file: ELFFile
  ) throws(SignetError) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var start = 0
    while start < notes.count {
      guard notes.count - start >= headSize else { throw file.malformed("has half a note") }
      let (nameSize, size) = (Int(notes.u32(start)), Int(notes.u32(start + 4)))
      let content = rounded(start + headSize + nameSize, alignment)
      // The last note need not be filled up.
      guard content <= notes.count, size <= notes.count - content else { throw file.malformed("has half a note") }
      let name = notes.bytes[(start + headSize)..<(start + headSize + nameSize)]
      if notes.u32(start + 8) == 3, name.elementsEqual("GNU\0".utf8) {
        guard (1...buildIDLimit).contains(size) else {
          throw file.malformed("has a build-id of a length that cannot be", found: "\(size) bytes")
        }
        found.append(Array(notes.bytes[content..<content + size]))
      }
      start = rounded(content + size, alignment)
    }
    return found
  }

  private static func rounded(_ offset: Int, _ alignment: Int) -> Int {
    (offset + alignment - 1) & ~(alignment - 1)
  }
}
