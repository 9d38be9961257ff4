internal import SignetBase

/// Checks one relocation after the other, and records the first fault of each kind.
struct ELFRelocationCheck {
  let machine: ELFMachine
  let memory: ELFMemory
  package let symbols: ELFSymbols
  let hasThreadVariables: Bool
  /// The ranges of the file that must not be written to, because their bytes have already been read here.
  let guarded: [Range<Int>]
  /// The ranges of the tables of initializers in the file.
  let functions: [Range<Int>]
  let file: ELFFile

  private(set) var faults: [SignetError] = []
  private(set) var written: [UInt64: ELFRelocations.Written] = [:]
  private var known: Set<String> = []

  package init(
    machine: ELFMachine, memory: ELFMemory, symbols: ELFSymbols, hasThreadVariables: Bool, guarded: [Range<Int>],
    functions: [Range<Int>], file: ELFFile
  ) {
    self.machine = machine
    self.memory = memory
    self.symbols = symbols
    self.hasThreadVariables = hasThreadVariables
    // Tables in a segment that is not writable need no guard.
    self.guarded = guarded.filter { table in
      memory.loads.contains { $0.isWritable && $0.range.overlaps(table) }
    }
    self.functions = functions
    self.file = file
  }

  /// Checks a relocation of DT_RELR.
  mutating func add(based address: UInt64) {
    guard checkPlace(address, 8, "DT_RELR") else { return }
    note(.based, at: address, 8)
  }

  /// Checks a relocation of DT_RELA or DT_JMPREL.
  ///
  /// - Parameters:
  ///   - mustBeOwn: whether the table states that it refers to an address of the library itself.
  ///   - isOfFunctions: whether it belongs to DT_JMPREL.
  mutating func add(_ entry: ELFRelocations.Entry, mustBeOwn: Bool, isOfFunctions: Bool) {
    guard let type = ELFRelocationType.find(entry.kind, on: machine) else {
      return fault(
        "has a relocation of a kind that is not known", found: "\(ELFMachine.name(machine.rawValue)) \(entry.kind)")
    }
    switch type.meaning {
    case .nothing:
      if mustBeOwn || isOfFunctions { fault("has a relocation in a table that it has no place in", found: type.name) }
      return
    case .copy:
      return fault(
        "copies another library's variable, which only programs do", found: type.name,
        hint: "compile all of it with -fPIC")
    case .staticThreadLocal:
      return staticThreadLocal(type.name)
    case .own, .chosen, .symbol, .function, .size, .threadLocal: break
    }
    guard !mustBeOwn || isOwn(type), !isOfFunctions || type.isOfFunctions else {
      return fault("has a relocation in a table that it has no place in", found: type.name)
    }
    checkSymbol(entry.symbol, type.name)
    guard checkPlace(entry.address, type.width, type.name) else { return }
    switch type.meaning {
    case .own: note(.own(entry.addend), at: entry.address, type.width)
    case .chosen:
      // The dynamic linker calls this function during relocation.
      guard memory.isCode(entry.addend) else {
        return fault("has a relocation that is left to a function which is no code", found: type.name)
      }
      note(.chosen, at: entry.address, type.width)
    case .symbol, .function:
      note(entry.addend == 0 ? .symbol(entry.symbol) : .other, at: entry.address, type.width)
    case .threadLocal:
      checkThreadLocal(entry, type)
      note(.other, at: entry.address, type.width)
    case .size:
      checkSize(entry.symbol, type.name)
      note(.other, at: entry.address, type.width)
    case .nothing, .copy, .staticThreadLocal: note(.other, at: entry.address, type.width)
    }
  }

  /// The dynamic linker does not find a symbol of the library without an address, such as Rust's symbol for the
  /// metadata of a crate.
  private mutating func checkSymbol(_ number: Int, _ name: String) {
    guard number > 0 else { return }
    let symbol = symbols[number]
    guard symbol.isDefined, symbol.isVisible, symbol.binding != .weak, symbol.value == 0, !symbol.isAbsolute,
      symbol.kind != .threadLocal
    else { return }
    fault("has a relocation for a symbol of its own that has no place", found: "\(name) of \(symbol.name)")
  }

  /// The dynamic linker reads the size of a symbol even if no library has the symbol, which only weak ones may lack.
  private mutating func checkSize(_ number: Int, _ name: String) {
    guard number > 0 else { return }
    let symbol = symbols[number]
    guard symbol.binding == .weak, !symbol.isDefined || symbol.value == 0 else { return }
    fault("has a relocation for the size of a symbol that may be missing", found: "\(name) of \(symbol.name)")
  }

  private func isOwn(_ type: ELFRelocationType) -> Bool { if case .own = type.meaning { true } else { false } }

  /// Checks a relocation for a thread-local variable.
  ///
  /// The dynamic linker assumes that the library with the symbol has such variables.
  private mutating func checkThreadLocal(_ entry: ELFRelocations.Entry, _ type: ELFRelocationType) {
    let symbol = entry.symbol == 0 ? nil : symbols[entry.symbol]
    let isOwn = symbol.map { $0.isDefined || $0.binding == .local } ?? true
    guard !isOwn || hasThreadVariables else {
      return fault("has a relocation for thread-local variables, but no such variables", found: type.name)
    }
    guard let symbol, symbol.binding != .local, symbol.kind != .threadLocal else { return }
    fault(
      "has a relocation for a thread-local variable, but its symbol is not one",
      found: "\(type.name) of \(symbol.name)")
  }

  /// Checks that a place in memory is writable, is not code, and is not in a table that the dynamic linker reads.
  private mutating func checkPlace(_ address: UInt64, _ width: UInt64, _ name: String) -> Bool {
    func shown() -> String { "\(name) at 0x\(String(address, radix: 16))" }
    guard let load = memory.load(at: address), width <= load.memorySize - (address - load.address) else {
      fault("has a relocation that writes outside of the library", found: shown())
      return false
    }
    guard load.isWritable, load.isReadable, !load.isExecutable else {
      fault(
        "has a relocation that writes to memory which is not writable", found: shown(),
        hint: "compile all of it with -fPIC")
      return false
    }
    guard !guarded.isEmpty, let place = place(address, width, load) else { return true }
    guard !guarded.contains(where: { $0.overlaps(place) }) else {
      fault("has a relocation that writes to a table of the dynamic linker", found: shown())
      return false
    }
    return true
  }

  /// The place in the file; nil if the bytes are not in the file.
  private func place(_ address: UInt64, _ width: UInt64, _ load: ELFSegment) -> Range<Int>? {
    let distance = Int(address - load.address)
    guard distance < load.fileSize else { return nil }
    return load.offset + distance..<load.offset + min(distance + Int(width), load.fileSize)
  }

  /// Records a value that is written to a table of functions.
  private mutating func note(_ value: ELFRelocations.Written, at address: UInt64, _ width: UInt64) {
    guard !functions.isEmpty, let load = memory.load(at: address), let place = place(address, width, load) else {
      return
    }
    for table in functions where table.overlaps(place) {
      // The write may begin within an entry, so the first entry that it touches comes first.
      let inside = (place.lowerBound - table.lowerBound) & 7
      let isWhole = inside == 0 && width == 8 && written[address] == nil
      written[address &- UInt64(inside)] = isWhole ? value : .other
      if !isWhole { written[address &- UInt64(inside) &+ 8] = .other }
    }
  }

  private mutating func staticThreadLocal(_ name: String) {
    guard known.insert("static-tls").inserted else { return }
    faults.append(.staticThreadLocal(file.path, found: name))
  }

  private mutating func fault(_ message: String, found: String, hint: String? = nil) {
    guard known.insert(message).inserted else { return }
    faults.append(
      SignetError(.elfRelocation, file.path, message, found: found, hint: hint ?? "rebuild the library"))
  }
}

extension SignetError {
  /// The process has room for some hundred bytes in all. A library is not loaded once this room is used up, so no
  /// library may use it.
  static func staticThreadLocal(_ path: String, found: String) -> SignetError {
    SignetError(
      .elfStaticTLS, path, "needs static thread-local storage, which is limited",
      expected: "dynamic thread-local storage", found: found,
      hint: "compile all of it with -fPIC, and without -ftls-model=initial-exec")
  }
}

/// A kind of relocation that linkers write into shared libraries (psABI of x86-64, "Relocation Types"; ELF for the
/// Arm 64-bit Architecture, "Dynamic relocations").
///
/// The dynamic linker of glibc knows a few more: some are for programs only, and some truncate addresses to 32 bits.
/// Any other kind makes it stop in the middle, after the code of previously opened libraries has run.
struct ELFRelocationType: Sendable {
  /// The name of the kind.
  let name: String
  /// The kind of value that is written.
  let meaning: Meaning
  /// The number of bytes that are written.
  let width: UInt64

  /// The kinds of value that a relocation writes.
  enum Meaning: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// An address of the library itself, given by the addend.
    case own
    /// The result of a function of the library itself, whose address is the addend (IRELATIVE).
    case chosen
    /// A symbol's address.
    case symbol
    /// A symbol's address, in a table of functions.
    case function
    /// A symbol's size.
    case size
    /// The location of a thread-local variable: the library, an offset in its variables, or both.
    case threadLocal
    /// The location of a thread-local variable relative to a register, in room that a process reserves once.
    case staticThreadLocal
    /// A copy of another library's variable.
    case copy
  }

  private init(_ name: String, _ meaning: Meaning, width: UInt64 = 8) {
    self.name = name
    self.meaning = meaning
    self.width = width
  }

  /// Whether the kind may occur among the relocations of functions (DT_JMPREL).
  var isOfFunctions: Bool {
    switch meaning {
    case .function, .chosen: true
    case .threadLocal: width == 16
    default: false
    }
  }

  /// The kind with a number; nil for one that libraries do not have.
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
