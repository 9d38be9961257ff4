internal import SignetBase

/// The header of an ELF file (gABI, "ELF Header"; elf(5), Ehdr).
///
/// It shows that the file is a shared library for the platform, and where its program headers are. The header must
/// meet everything that the dynamic linker of glibc checks or assumes. Section headers are ignored, because nothing
/// that loads a library reads them.
struct ELFHeader {
  /// The size of a header of the 64-bit class in bytes.
  static let size = 64
  /// The maximum number of program headers: linkers write about ten, and one more for each additional kind of
  /// segment.
  static let segmentLimit = 64

  /// The range of the program headers in the file.
  let segmentTable: Range<Int>

  private static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  /// - Throws: `elf.malformed`, `elf.architecture`, `elf.type`; `file.…` if the file cannot be read.
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

  /// Checks class, byte order, machine and type: e_ident[EI_CLASS], e_ident[EI_DATA], e_machine, e_type.
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

  /// Checks e_ident after the byte order.
  ///
  /// GNU's ABI is that of System V with unique symbols and indirect functions. Its versions up to 3 tell which of
  /// them occur (glibc, libc-abis).
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

  /// The name of Linux on this processor, in messages and in the descriptions of modules.
  package var platform: String {
    switch self {
    case .x86: "linux-x86_64"
    case .arm: "linux-aarch64"
    }
  }

  /// The largest page size of Linux on this processor; neighbouring segments must not share a page.
  ///
  /// A library with a smaller alignment does not load on systems whose pages are larger than that.
  var largestPage: UInt64 {
    switch self {
    case .x86: 4096
    case .arm: 65536
    }
  }

  /// The name of a machine number in a header, for messages.
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
