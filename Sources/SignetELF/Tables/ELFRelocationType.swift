/// A kind of relocation that linkers write into shared libraries (psABI of x86-64, "Relocation Types"; ELF for the Arm 64-bit
/// Architecture, "Dynamic relocations").
///
/// The dynamic linker of glibc knows a few more: some are for programs alone, some cut addresses to 32 bits. Any other makes it
/// give up in the middle, when libraries opened before have run.
struct ELFRelocationType: Sendable {
  /// What it is called.
  let name: String
  /// What is written.
  let meaning: Meaning
  /// Bytes that are written.
  let width: UInt64

  /// What a relocation writes.
  enum Meaning: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// An address of the library itself, which the addend says.
    case own
    /// The answer of a function of the library itself, whose address the addend says (IRELATIVE).
    case chosen
    /// A symbol's address.
    case symbol
    /// A symbol's address, in a table of functions.
    case function
    /// A symbol's size.
    case size
    /// Where threads have a variable: the library, a place in its variables, or both.
    case threadLocal
    /// Where threads have a variable, from a register on: room that a process sets aside once.
    case staticThreadLocal
    /// The bytes of another library's variable.
    case copy
  }

  private init(_ name: String, _ meaning: Meaning, width: UInt64 = 8) {
    self.name = name
    self.meaning = meaning
    self.width = width
  }

  /// Whether it may stand among the relocations of functions (DT_JMPREL).
  var isOfFunctions: Bool {
    switch meaning {
    case .function, .chosen: true
    case .threadLocal: width == 16
    default: false
    }
  }

  /// A kind by its number; nil for one that libraries do not have.
  static func find(_ number: UInt32, on machine: ELFMachine) -> ELFRelocationType? {
    switch machine {
    case .x86: x86[number]
    case .arm: arm[number]
    }
  }

  private static let x86: [UInt32: ELFRelocationType] = [
    0: .init("R_X86_64_NONE", .nothing), 1: .init("R_X86_64_64", .symbol), 5: .init("R_X86_64_COPY", .copy),
    6: .init("R_X86_64_GLOB_DAT", .symbol), 7: .init("R_X86_64_JUMP_SLOT", .function),
    8: .init("R_X86_64_RELATIVE", .own), 16: .init("R_X86_64_DTPMOD64", .threadLocal),
    17: .init("R_X86_64_DTPOFF64", .threadLocal), 18: .init("R_X86_64_TPOFF64", .staticThreadLocal),
    33: .init("R_X86_64_SIZE64", .size), 36: .init("R_X86_64_TLSDESC", .threadLocal, width: 16),
    37: .init("R_X86_64_IRELATIVE", .chosen),
  ]

  private static let arm: [UInt32: ELFRelocationType] = [
    0: .init("R_AARCH64_NONE", .nothing), 257: .init("R_AARCH64_ABS64", .symbol),
    1024: .init("R_AARCH64_COPY", .copy),
    1025: .init("R_AARCH64_GLOB_DAT", .symbol), 1026: .init("R_AARCH64_JUMP_SLOT", .function),
    1027: .init("R_AARCH64_RELATIVE", .own), 1028: .init("R_AARCH64_TLS_DTPMOD", .threadLocal),
    1029: .init("R_AARCH64_TLS_DTPREL", .threadLocal), 1030: .init("R_AARCH64_TLS_TPREL", .staticThreadLocal),
    1031: .init("R_AARCH64_TLSDESC", .threadLocal, width: 16), 1032: .init("R_AARCH64_IRELATIVE", .chosen),
  ]
}
