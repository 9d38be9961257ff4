internal import SignetBase

/// What tells code that no system runs as a program or loads as a library: firmware, boot loaders, kernels, and code for
/// the small processors in devices.
///
/// A linker script of its own puts such code where the device wants it. What protects programs, such as addresses that
/// change, is not there for it. A program of a system that has one of these marks would not run, or has nothing that any
/// compiler's driver puts into a program.
enum ELFFirmware {
  /// Processors without a system that runs programs: TriCore, AVR, Xtensa, MSP430, C6000, PRU, Hexagon, RX, CUDA, RL78,
  /// AMDGPU and BPF (gABI, "ELF Header", e_machine).
  private static let processors: Set<UInt16> = [44, 83, 94, 105, 140, 144, 164, 173, 190, 197, 224, 247]
  /// Linux maps nothing lower for a program (vm.mmap_min_addr).
  private static let lowestAddress: UInt64 = 64 << 10

  /// Whether a file with program headers is firmware.
  static func isOne(
    _ head: ELFHead, _ segments: ELFSegmentTable, _ linking: ELFLinking?, hasInterpreter: Bool
  ) -> Bool {
    if processors.contains(head.processor.machine) || segments.isSplit { return true }
    // What names a dynamic linker, or a library of a system, is for that system.
    guard !hasInterpreter, !(linking?.needed ?? []).contains(where: isOfSystem) else { return false }
    return head.type == 2 && segments.loads.contains { $0.address < lowestAddress }
      || head.type == 2 && !segments.haveLoaded(head.entry)
      || segments.loads.contains { isOfKernel($0.address, head.form) } || isMoved(segments)
      || isOnePiece(segments)
  }

  private static func isOfSystem(_ library: [UInt8]) -> Bool {
    library.indices.contains { library[$0...].starts(with: ".so".utf8) }
  }

  /// Whether an address belongs to the kernel, for Linux on all processors.
  private static func isOfKernel(_ address: UInt64, _ form: ELFForm) -> Bool {
    form.is64Bit ? address >> 63 == 1 : address >= 0xc000_0000
  }

  /// Whether code or data is stored at another address than where it runs, as in ROM. Some linkers leave out the physical
  /// addresses. Linux passes over them, so what is made for Linux in another way is a program whatever they are.
  private static func isMoved(_ segments: ELFSegmentTable) -> Bool {
    let stored = segments.loads.filter { $0.fileSize > 0 }
    guard segments[.readOnly] == nil else { return false }
    return stored.contains { $0.physicalAddress != 0 } && stored.contains { $0.physicalAddress != $0.address }
  }

  /// Whether code and data are in one piece, without a note and without memory of a thread's own. All drivers of compilers
  /// put a note into a program, and load it: the build ID, or the system that it is for. Beside the piece there may be code
  /// that nothing writes to, or data that nothing runs.
  private static func isOnePiece(_ segments: ELFSegmentTable) -> Bool {
    let (code, data) = (segments.loads.filter(\.isExecutable), segments.loads.filter(\.isWritable))
    let isMixed =
      code.contains(where: \.isWritable) && (code.allSatisfy(\.isWritable) || data.allSatisfy(\.isExecutable))
    return isMixed && !hasLoadedNote(segments) && segments[.threadLocal] == nil && segments[.readOnly] == nil
  }

  /// Whether a note is where a program could see it. A kernel may have one for its boot loader alone.
  private static func hasLoadedNote(_ segments: ELFSegmentTable) -> Bool {
    segments.all.contains { $0.kind == .note && segments.haveLoaded($0.address) }
  }
}
