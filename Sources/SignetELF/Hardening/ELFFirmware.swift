/// What tells code that no system runs as a program or loads as a library: firmware, boot loaders, kernels, and code for
/// the small processors in devices.
///
/// A linker script of its own puts such code where the device wants it. What protects programs, such as addresses that
/// change, is not there for it. Only what keeps Linux from running a file counts: everything else, such as another address
/// where it is stored, a program can have, too, and would be judged by nobody.
enum ELFFirmware {
  /// Processors without a system that runs programs: TriCore, AVR, Xtensa, MSP430, C6000, PRU, Hexagon, RX, CUDA, RL78,
  /// AMDGPU and BPF (gABI, "ELF Header", e_machine).
  private static let processors: Set<UInt16> = [44, 83, 94, 105, 140, 144, 164, 173, 190, 197, 224, 247]
  private static let mips: UInt16 = 8
  /// Linux maps nothing lower for a program (vm.mmap_min_addr), unless root has it do so.
  private static let lowestAddress: UInt64 = 64 << 10
  /// The smallest and the largest page on any processor.
  private static let smallestPage: UInt64 = 4 << 10
  private static let largestPage: UInt64 = 64 << 10

  /// Whether a file with program headers is firmware.
  static func isOne(
    _ head: ELFHead, _ segments: ELFSegmentTable, _ linking: ELFLinking?, hasInterpreter: Bool
  ) -> Bool {
    if processors.contains(head.processor.machine) || segments.isSplit && segments.isElsewhere { return true }
    // What names a dynamic linker, or a library of a system, is for that system.
    guard !hasInterpreter, !(linking?.needed ?? []).contains(where: isOfSystem) else { return false }
    let stored = segments.loads.filter { $0.fileSize > 0 }
    if segments.loads.contains(where: { isOfKernel($0.address, head) }) || stored.contains(where: isBetweenPages) {
      return true
    }
    return head.type == 2 && (stored.contains { $0.address < lowestAddress } || !isEntered(segments, head.entry))
  }

  private static func isOfSystem(_ library: [UInt8]) -> Bool {
    library.indices.contains { library[$0...].starts(with: ".so".utf8) }
  }

  /// Whether an address belongs to the kernel. A program of 32 bits has all addresses on a kernel of 64 bits, except those
  /// of MIPS.
  private static func isOfKernel(_ address: UInt64, _ head: ELFHead) -> Bool {
    head.form.is64Bit ? address >> 63 == 1 : head.processor.machine == mips && address >= 0x8000_0000
  }

  /// Whether the bytes of a segment are not where pages of the file begin: they cannot be mapped (gABI, "Program Loading").
  private static func isBetweenPages(_ segment: ELFSegmentTable.Segment) -> Bool {
    segment.offset % smallestPage != segment.address % smallestPage
  }

  /// Whether the first instruction is in a page that is loaded. The kernels' own files have the address before there are
  /// pages.
  private static func isEntered(_ segments: ELFSegmentTable, _ entry: UInt64) -> Bool {
    segments.loads.contains { load in
      let (end, overflow) = load.address.addingReportingOverflow(max(load.memorySize, load.fileSize))
      return overflow || entry / largestPage >= load.address / largestPage && entry / largestPage <= end / largestPage
    }
  }
}
