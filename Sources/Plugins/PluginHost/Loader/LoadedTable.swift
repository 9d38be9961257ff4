internal import SignetELF

#if canImport(Glibc)
  internal import Glibc

  /// The dynamic table of a loaded library. The dynamic linker has used it already, so it is sound.
  ///
  /// A library's base may be above its place in memory: then addresses add up to less than either (modulo 2^64).
  @unsafe struct LoadedTable {
    let dynamic: UnsafePointer<Elf64_Dyn>
    private let base: UInt
    private let segments: UnsafeBufferPointer<Elf64_Phdr>

    init?(_ info: dl_phdr_info) {
      unsafe base = UInt(info.dlpi_addr)
      guard let headers = unsafe info.dlpi_phdr else { return nil }
      unsafe segments = UnsafeBufferPointer(start: headers, count: Int(info.dlpi_phnum))
      guard let index = unsafe segments.firstIndex(where: { $0.p_type == UInt32(PT_DYNAMIC) }),
        let table = unsafe UnsafePointer<Elf64_Dyn>(bitPattern: base &+ UInt(segments[index].p_vaddr))
      else { return nil }
      unsafe dynamic = table
    }

    /// The values of a tag.
    func all(_ tag: Int) -> [UInt] {
      var found: [UInt] = []
      var entry = unsafe dynamic
      while unsafe entry.pointee.d_tag != Int(DT_NULL) {
        if unsafe entry.pointee.d_tag == tag { unsafe found.append(UInt(entry.pointee.d_un.d_val)) }
        unsafe entry += 1
      }
      return found
    }

    /// The segment with a place in memory.
    private func segment(of place: UInt) -> Elf64_Phdr? {
      unsafe segments.first { segment in
        unsafe segment.p_type == UInt32(PT_LOAD)
          && place &- (base &+ UInt(segment.p_vaddr)) < UInt(segment.p_memsz)
      }
    }

    /// An address in the table. glibc has made those of most libraries absolute, but not the kernel's.
    func address(_ tag: Int) -> UnsafeRawPointer? {
      guard let value = unsafe all(tag).first else { return nil }
      return unsafe UnsafeRawPointer(bitPattern: unsafe segment(of: value) == nil ? value &+ base : value)
    }

    /// A name in the string table.
    func name(at offset: UInt) -> [UInt8] {
      guard let strings = unsafe address(Int(DT_STRTAB)) else { return [] }
      let start = unsafe (strings + Int(offset)).assumingMemoryBound(to: UInt8.self)
      return unsafe Array(UnsafeBufferPointer(start: start, count: strlen(start)))
    }

    /// The versions that the library defines (LSB Core, "Symbol Versioning", Elf64_Verdef); empty if it defines none.
    func versions() -> Set<[UInt8]> {
      var found: Set<[UInt8]> = []
      guard var record = unsafe address(Int(DT_VERDEF)) else { return found }
      while true {
        let auxiliary = unsafe record + Int(record.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        unsafe found.insert(name(at: UInt(auxiliary.loadUnaligned(as: UInt32.self))))
        let next = unsafe record.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
        guard next > 0 else { return found }
        unsafe record += Int(next)
      }
    }

    /// A symbol that the library defines and others can find.
    @safe struct Symbol: Hashable {
      let isThreadLocal: Bool
      /// Whether the process keeps one definition of the name (STB_GNU_UNIQUE).
      let isUnique: Bool
      let isCode: Bool
    }

    /// What the library defines under a name, in any version.
    func definitions(of name: [UInt8]) -> [Symbol] {
      guard let table = unsafe address(Int(DT_SYMTAB)), let strings = unsafe address(Int(DT_STRTAB)) else {
        return []
      }
      return unsafe numbers(of: name).compactMap { number in
        let symbol = unsafe (table + Int(number) * MemoryLayout<Elf64_Sym>.size).loadUnaligned(as: Elf64_Sym.self)
        let text = unsafe (strings + Int(symbol.st_name)).assumingMemoryBound(to: UInt8.self)
        guard unsafe strlen(text) == name.count, unsafe memcmp(text, name, name.count) == 0 else { return nil }
        return unsafe self.symbol(symbol)
      }
    }

    /// - Returns: nil for a symbol that the library does not define for others.
    private func symbol(_ symbol: Elf64_Sym) -> Symbol? {
      let (binding, visibility) = (ELFSymbol.Binding(rawValue: symbol.st_info >> 4), symbol.st_other & 3)
      guard symbol.st_shndx != 0, let binding, binding != .local, visibility == 0 || visibility == 3,
        let kind = ELFSymbol.Kind(rawValue: symbol.st_info & 15), kind.isFound
      else { return nil }
      let isAbsolute = unsafe symbol.st_shndx == Self.absoluteSection
      let isCode = unsafe segment(of: base &+ UInt(symbol.st_value)).map { $0.p_flags & UInt32(PF_X) != 0 } ?? false
      return Symbol(
        isThreadLocal: kind == .threadLocal, isUnique: binding == .unique,
        isCode: isCode && !isAbsolute && kind != .threadLocal)
    }

    /// SHN_ABS: the value is no place in the library.
    private static let absoluteSection: UInt16 = 0xfff1

    /// The numbers of the symbols that may have a name, by GNU's hash table or else the older one (gABI, "Hash Table").
    private func numbers(of name: [UInt8]) -> [UInt32] {
      if let table = unsafe address(Self.gnuHash) { return unsafe numbers(of: name, inGNU: table) }
      guard let table = unsafe address(Int(DT_HASH)) else { return [] }
      func word(_ index: UInt32) -> UInt32 { unsafe table.load(fromByteOffset: 4 * Int(index), as: UInt32.self) }
      let (buckets, count) = (word(0), word(1))
      guard buckets > 0 else { return [] }
      var numbers: [UInt32] = []
      var number = word(2 + ELFHashCheck.hash(name) % buckets)
      while number != 0, numbers.count < Int(count) {
        numbers.append(number)
        number = word(2 + buckets + number)
      }
      return numbers
    }

    private func numbers(of name: [UInt8], inGNU table: UnsafeRawPointer) -> [UInt32] {
      func word(_ index: Int) -> UInt32 { unsafe table.load(fromByteOffset: 4 * index, as: UInt32.self) }
      let (buckets, first, filter) = (Int(word(0)), word(1), Int(word(2)))
      guard buckets > 0 else { return [] }
      let hash = ELFHashCheck.gnuHash(name[...])
      let chains = 4 + 2 * filter + buckets
      var number = word(4 + 2 * filter + Int(hash) % buckets)
      var numbers: [UInt32] = []
      guard number >= first, number > 0 else { return [] }
      while true {
        let entry = word(chains + Int(number - first))
        if entry | 1 == hash | 1 { numbers.append(number) }
        guard entry & 1 == 0 else { return numbers }
        number += 1
      }
    }

    private static let gnuHash = 0x6fff_fef5
  }
#endif
