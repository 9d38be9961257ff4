/// The processor that an ELF file is built for (gABI, "ELF Header", e_machine, with class and byte order).
package struct ELFProcessor: Hashable, Sendable {
  /// EM_….
  let machine: UInt16
  let form: ELFForm

  /// A processor that has a name.
  private struct Known: Sendable {
    let machine: UInt16
    let is64Bit: Bool
    let isBigEndian: Bool
    let name: String

    init(_ machine: UInt16, _ bits: Int, _ name: String, isBigEndian: Bool = false) {
      self.machine = machine
      is64Bit = bits == 64
      self.isBigEndian = isBigEndian
      self.name = name
    }
  }

  /// The processors that releases are built for, by their usual names.
  private static let known: [Known] = [
    Known(62, 64, "x86-64"), Known(62, 32, "x32"), Known(3, 32, "x86"),
    Known(183, 64, "aarch64"), Known(183, 64, "aarch64-be", isBigEndian: true),
    Known(40, 32, "arm"), Known(40, 32, "arm-be", isBigEndian: true),
    Known(243, 64, "riscv64"), Known(243, 32, "riscv32"),
    Known(21, 64, "powerpc64le"), Known(21, 64, "powerpc64", isBigEndian: true),
    Known(20, 32, "powerpc", isBigEndian: true), Known(20, 32, "powerpcle"),
    Known(22, 64, "s390x", isBigEndian: true), Known(22, 32, "s390", isBigEndian: true),
    Known(258, 64, "loongarch64"), Known(258, 32, "loongarch32"),
    Known(8, 64, "mips64el"), Known(8, 64, "mips64", isBigEndian: true),
    Known(8, 32, "mipsel"), Known(8, 32, "mips", isBigEndian: true),
    Known(43, 64, "sparc64", isBigEndian: true), Known(2, 32, "sparc", isBigEndian: true),
    Known(18, 32, "sparc32plus", isBigEndian: true),
    Known(0x9026, 64, "alpha"), Known(15, 32, "hppa", isBigEndian: true), Known(15, 64, "hppa64", isBigEndian: true),
    Known(50, 64, "ia64"), Known(4, 32, "m68k", isBigEndian: true), Known(42, 32, "sh4"),
    Known(94, 32, "xtensa"), Known(83, 32, "avr"), Known(247, 64, "bpf"),
    Known(247, 64, "bpf-be", isBigEndian: true), Known(190, 64, "cuda"), Known(224, 64, "amdgpu"),
  ]

  /// The names of all processors that have one, in the order of their bytes.
  package static let names = known.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }

  /// The name of the processor, such as `x86-64`; a description in words if it has none.
  package var name: String {
    let found = Self.known.first {
      $0.machine == machine && $0.is64Bit == form.is64Bit && $0.isBigEndian == form.isBigEndian
    }
    if let found { return found.name }
    return "machine \(machine), \(form.is64Bit ? 64 : 32)-bit, \(form.isBigEndian ? "big" : "little")-endian"
  }

  /// Whether it is a processor whose modules are loaded.
  package func isExactly(_ machine: ELFMachine) -> Bool {
    self.machine == machine.rawValue && form.is64Bit && !form.isBigEndian
  }

  /// Whether a file that does not state what its stack must be like may get an executable one.
  ///
  /// The dynamic linker of glibc then takes the processor's default (stackinfo.h, DEFAULT_STACK_PERMS): executable
  /// stacks for all threads, except on 64-bit PowerPC, ARC, Nios II and AArch64.
  var hasExecutableStackUnlessStated: Bool { ![21, 93, 113, 183, 195].contains(machine) }

  /// Whether the entries of DT_HASH have 64 bits, and not 32 (the supplements for Alpha and 64-bit S/390).
  var hasWideHashTable: Bool { form.is64Bit && (machine == 0x9026 || machine == 22) }

  /// Whether the dynamic table states the number of symbols (DT_MIPS_SYMTABNO).
  var isMIPS: Bool { machine == 8 }
}
