internal import SignetBase

/// The functions that the dynamic linker calls after it has opened a library, and when the process ends (gABI,
/// "Initialization and Termination Functions").
///
/// The dynamic linker calls them without any check.
struct ELFInitializers {
  /// The maximum number of entries in a table. Large C++ programs have one for each source file.
  private static let limit = 1 << 16

  private let memory: ELFMemory
  private let symbols: ELFSymbols
  private let file: ELFFile
  private(set) var faults: [SignetError] = []
  /// The numbers of the symbols whose addresses are among the functions.
  private(set) var named: Set<Int> = []

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  package init(
    _ dynamic: ELFDynamicTable, tables: ELFTables, relocations: ELFRelocations, symbols: ELFSymbols,
    memory: ELFMemory, in file: ELFFile
  ) throws(SignetError) {
    self.memory = memory
    self.symbols = symbols
    self.file = file
    for tag in [ELFDynamicTag.initializer, .finalizer] {
      guard let address = dynamic[tag], !memory.isCode(address) else { continue }
      fault(tag.name, "address 0x\(String(address, radix: 16))")
    }
    for (tag, sizeTag) in [
      (ELFDynamicTag.initializers, ELFDynamicTag.initializersSize), (.finalizers, .finalizersSize),
    ] {
      guard let address = dynamic[tag], let size = dynamic[sizeTag], size > 0,
        let offset = memory.offset(of: address, size)
      else { continue }
      guard size <= UInt64(Self.limit * 8) else {
        throw file.malformed("has too many initializers", expected: "at most \(Self.limit)", found: "\(size / 8)")
      }
      let table = try file.bytes(at: offset, Int(size))
      for place in stride(from: 0, to: table.count, by: 8) {
        let written = relocations.initializers[address + UInt64(place)]
        if case .symbol(let number) = written { named.insert(number) }
        let isCode = isCode(written, table.u64(place))
        guard !isCode else { continue }
        fault(tag.name, "entry \(place / 8)")
        break
      }
    }
  }

  /// - Parameters:
  ///   - written: the value that a relocation writes; nil if no relocation writes one.
  ///   - value: the value in the file.
  private func isCode(_ written: ELFRelocations.Written?, _ value: UInt64) -> Bool {
    switch written {
    case .own(let address): memory.isCode(address)
    case .based: memory.isCode(value)
    case .chosen: true
    case .symbol(let number): isCode(of: number)
    case .other, nil: false
    }
  }

  /// Whether a symbol is a function: one of the library itself, or one of another library that must be found.
  private func isCode(of number: Int) -> Bool {
    guard symbols.indices.contains(number) else { return false }
    let symbol = symbols[number]
    guard symbol.isDefined else { return symbol.binding == .global || symbol.binding == .unique }
    return memory.isCode(of: symbol)
  }

  private mutating func fault(_ name: String, _ found: String) {
    faults.append(
      SignetError(
        .elfInitializer, file.path, "has an initializer or finalizer that is not code",
        expected: "functions in \(name)",
        found: found, hint: "rebuild the library"))
  }
}
