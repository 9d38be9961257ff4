internal import SignetBase

/// What a file says of itself in front (gABI, "ELF Header"; elf(5), Ehdr): that it is a shared library for the platform,
/// and where its program headers are.
///
/// The header is held to what the dynamic linker of glibc asks for, and to what it takes for granted. Section headers are
/// not looked at: nothing that loads a library does.
struct ELFHeader {
  /// Bytes of a header of the 64-bit class.
  static let size = 64
  /// Program headers at most: linkers write about ten, and one more for each kind of segment they are told of.
  static let segmentLimit = 64

  /// Where the program headers are in the file.
  let segmentTable: Range<Int>

  private static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  /// - Throws: `elf.malformed`, `elf.architecture`, `elf.type`; `file.…` when the file cannot be read.
  package init(_ file: ELFFile, for machine: ELFMachine) throws(SignetError) {
    let head = try file.bytes(at: 0, min(Self.size, file.size))
    guard head.bytes.starts(with: Self.magic) else {
      throw file.malformed("is not an ELF file", expected: "a shared library")
    }
    // The fields up to e_machine are the same in both classes.
    guard head.count >= 20 else { throw file.malformed("ends in its header") }
    try Self.checkHead(head, for: machine, file)
    guard head.count == Self.size else { throw file.malformed("ends in its header") }
    try Self.checkIdentification(head, file)
    let offset = Int(exactly: head.u64(32)) ?? Int.max
    let count = Int(head.u16(56))
    guard head.u32(20) == 1, head.u16(52) == Self.size, head.u16(54) == ELFSegment.size else {
      throw file.malformed("has an unknown header version")
    }
    guard (1...Self.segmentLimit).contains(count) else {
      throw file.malformed(
        "has too few or too many program headers", expected: "1 to \(Self.segmentLimit)", found: "\(count)")
    }
    let length = count * ELFSegment.size
    guard offset >= Self.size, length <= file.size, offset <= file.size - length else {
      throw file.malformed("has program headers that are not in the file", found: "offset \(offset)")
    }
    segmentTable = offset..<offset + length
  }

  /// Class, byte order, machine and type: e_ident[EI_CLASS], e_ident[EI_DATA], e_machine, e_type.
  private static func checkHead(
    _ head: ELFBytes, for machine: ELFMachine, _ file: ELFFile
  ) throws(SignetError) {
    guard let bits = [1: 32, 2: 64][head.bytes[4]], let order = [1: "little", 2: "big"][head.bytes[5]] else {
      throw file.malformed("has a class or a byte order that ELF files do not have")
    }
    let isLittle = head.bytes[5] == 1
    let found = isLittle ? head.u16(18) : head.u16(18).byteSwapped
    guard bits == 64, isLittle, found == machine.rawValue else {
      throw SignetError(
        .elfArchitecture, file.path, "was built for another processor than that of \(machine.platform)",
        expected: words(64, "little", machine.rawValue), found: words(bits, order, found),
        hint: "build it for \(machine.platform), or name it for the platform it was built for")
    }
    let type = head.u16(16)
    guard type == 3 else {
      throw SignetError(
        .elfType, file.path, "is not a shared library", expected: "ET_DYN",
        found: [1: "ET_REL, an object file", 2: "ET_EXEC, a program", 4: "ET_CORE, a core dump"][type]
          ?? "type \(type)")
    }
  }

  private static func words(_ bits: Int, _ order: String, _ machine: UInt16) -> String {
    "\(bits)-bit \(ELFMachine.name(machine)), \(order)-endian"
  }

  /// e_ident behind the byte order. GNU's ABI is System V's with unique symbols and indirect functions; its versions up
  /// to 3 say which of them (glibc, libc-abis).
  private static func checkIdentification(_ head: ELFBytes, _ file: ELFFile) throws(SignetError) {
    guard head.bytes[6] == 1, head.bytes[9..<16].allSatisfy({ $0 == 0 }) else {
      throw file.malformed("has an unknown identification")
    }
    let system = head.bytes[7]
    guard (system == 0 && head.bytes[8] == 0) || (system == 3 && head.bytes[8] <= 3) else {
      throw SignetError(
        .elfArchitecture, file.path, "was built for another system", expected: "System V or GNU",
        found: "ABI \(system), version \(head.bytes[8])")
    }
  }
}

/// The processors whose binaries are checked (gABI, "ELF Header", e_machine).
package enum ELFMachine: UInt16, Sendable {
  /// EM_X86_64.
  case x86 = 62
  /// EM_AARCH64.
  case arm = 183

  /// What Linux on it is called, in messages and in the descriptions of modules.
  package var platform: String {
    switch self {
    case .x86: "linux-x86_64"
    case .arm: "linux-aarch64"
    }
  }

  /// The largest pages that Linux has there: neighbouring segments may not share one. A library that is aligned to
  /// smaller ones does not load where pages are larger than that.
  var largestPage: UInt64 {
    switch self {
    case .x86: 4096
    case .arm: 65536
    }
  }

  /// What a number in a header stands for, for people.
  static func name(_ machine: UInt16) -> String {
    switch machine {
    case 3: "x86"
    case 8: "MIPS"
    case 20, 21: "PowerPC"
    case 22: "S/390"
    case 40: "ARM"
    case 62: "x86-64"
    case 183: "AArch64"
    case 243: "RISC-V"
    case 258: "LoongArch"
    default: "machine \(machine)"
    }
  }
}
