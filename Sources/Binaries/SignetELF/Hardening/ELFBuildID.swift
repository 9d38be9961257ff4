internal import SignetBase

/// The search for the build ID among the notes of a file (gABI, "Note Section"; NT_GNU_BUILD_ID).
enum ELFBuildID {
  /// The maximum size of all notes in bytes. Build ID, properties and packagers' remarks take some hundreds.
  private static let sizeLimit = 1 << 20
  /// The maximum length of a build ID in bytes, which is the length of the longest digest.
  private static let lengthLimit = 64
  private static let headSize = 12

  /// The first build ID, or nil.
  ///
  /// - Throws: `file.…` if the file cannot be read.
  static func find(
    in segments: ELFSegmentTable?, sections: ELFSections, of file: ELFFile, form: ELFForm
  ) throws(SignetError) -> [UInt8]? {
    var notes: [(range: Range<Int>, alignment: UInt64)] = []
    for segment in segments?.all ?? [] where segment.kind == .note {
      if let range = file.range(segment.offset, segment.fileSize) { notes.append((range, segment.alignment)) }
    }
    // What the program itself can see comes first. Debuggers look into sections, too, and Go's linker puts it there alone.
    notes += sections.notes
    var rest = sizeLimit
    for note in notes where rest > 0 {
      let range = note.range.prefix(rest)
      rest -= range.count
      let numbers = try file.numbers(at: range.lowerBound, range.count, form)
      if let found = find(numbers, alignment: note.alignment == 8 ? 8 : 4) { return found }
    }
    return nil
  }

  private static func find(_ notes: ELFNumbers, alignment: Int) -> [UInt8]? {
    var start = 0
    while notes.count - start >= headSize {
      let (nameSize, size) = (Int(notes.u32(start)), Int(notes.u32(start + 4)))
      let name = start + headSize
      let content = rounded(name + nameSize, alignment)
      guard content <= notes.count, size <= notes.count - content else { return nil }
      if notes.u32(start + 8) == 3, notes.bytes[name..<name + nameSize].elementsEqual("GNU\0".utf8),
        (1...lengthLimit).contains(size)
      {
        return Array(notes.bytes[content..<content + size])
      }
      start = rounded(content + size, alignment)
    }
    return nil
  }

  private static func rounded(_ offset: Int, _ alignment: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }
}
