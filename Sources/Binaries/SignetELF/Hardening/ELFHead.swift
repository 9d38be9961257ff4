internal import SignetBase

/// The header of an ELF file of any class, byte order, processor and type (gABI, "ELF Header"; elf(5), Ehdr).
struct ELFHead {
  let form: ELFForm
  /// ET_….
  let type: UInt16
  let processor: ELFProcessor
  /// Where a program begins (e_entry).
  let entry: UInt64
  /// Where the program headers are.
  let segments: Table
  /// Where the section headers are.
  let sections: Table
  /// The number of the section with the names of sections (e_shstrndx).
  let sectionNames: Int

  /// Where headers of one kind are said to be.
  struct Table {
    let offset: UInt64
    /// The stated size of a header in bytes.
    let entrySize: Int
    /// The stated number; it has a special meaning if it does not fit in 16 bits.
    let count: Int
  }

  private static let identificationSize = 16
  private static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(_ file: ELFFile) throws(SignetError) {
    let start = try file.bytes(at: 0, min(Self.identificationSize, file.size)).bytes
    guard start.starts(with: Self.magic) else { throw file.malformed("is not an ELF file") }
    guard start.count == Self.identificationSize else { throw file.malformed("ends in its header") }
    guard let form = ELFForm(class: start[4], order: start[5]) else {
      throw file.malformed("has a class or a byte order that ELF files do not have")
    }
    guard file.size >= form.headerSize else { throw file.malformed("ends in its header") }
    let head = try file.numbers(at: 0, form.headerSize, form)
    self.form = form
    type = head.u16(16)
    processor = ELFProcessor(machine: head.u16(18), form: form)
    entry = head.word(24)
    // Entry, program headers and section headers are words after 24 bytes. Flags and the header's own size follow.
    let numbers = 24 + 3 * form.wordSize + 6
    segments = Table(
      offset: head.word(24 + form.wordSize), entrySize: Int(head.u16(numbers)), count: Int(head.u16(numbers + 2)))
    sections = Table(
      offset: head.word(24 + 2 * form.wordSize), entrySize: Int(head.u16(numbers + 4)),
      count: Int(head.u16(numbers + 6)))
    sectionNames = Int(head.u16(numbers + 8))
  }
}
