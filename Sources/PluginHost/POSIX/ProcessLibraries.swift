#if canImport(Glibc)
  internal import Glibc

  /// The libraries that this process has, as the dynamic linker of glibc tells them apart: by their names.
  enum ProcessLibraries {
    /// Names by which a library that is loaded is found, without a look into any folder: those that it gives itself (DT_SONAME), and
    /// those that others needed it by (DT_NEEDED).
    static func names() -> Set<[UInt8]> {
      let names = Names()
      withExtendedLifetime(names) {
        _ = unsafe dl_iterate_phdr(
          { info, _, names in
            guard let info = unsafe info, let names = unsafe names else { return 0 }
            let found = unsafe Unmanaged<Names>.fromOpaque(names).takeUnretainedValue()
            if let table = unsafe LoadedTable(info.pointee) { unsafe found.add(table) }
            return 0
          }, Unmanaged.passUnretained(names).toOpaque())
      }
      return names.found
    }

    private final class Names {
      var found: Set<[UInt8]> = []

      func add(_ table: LoadedTable) {
        unsafe found.formUnion(table.all(Int(DT_NEEDED)).map { unsafe table.name(at: $0) })
        unsafe found.formUnion(table.all(Int(DT_SONAME)).map { unsafe table.name(at: $0) })
      }
    }

    /// Whether a library was loaded under a path.
    static func has(path: String) -> Bool {
      // RTLD_NOLOAD looks among what is loaded; the path is that of a descriptor of our own, which has no library yet.
      guard let handle = unsafe dlopen(path, RTLD_LAZY | RTLD_NOLOAD) else { return false }
      unsafe dlclose(handle)
      return true
    }
  }

  /// The dynamic table of a library that is loaded. The dynamic linker has worked by it: it is sound.
  @unsafe struct LoadedTable {
    private let dynamic: UnsafePointer<Elf64_Dyn>
    private let base: UInt

    init?(_ info: dl_phdr_info) {
      unsafe base = UInt(info.dlpi_addr)
      guard let headers = unsafe info.dlpi_phdr else { return nil }
      let segments = unsafe UnsafeBufferPointer(start: headers, count: Int(info.dlpi_phnum))
      guard let index = unsafe segments.firstIndex(where: { $0.p_type == UInt32(PT_DYNAMIC) }),
        let table = unsafe UnsafePointer<Elf64_Dyn>(bitPattern: base + UInt(segments[index].p_vaddr))
      else { return nil }
      unsafe dynamic = table
    }

    init?(_ map: link_map) {
      guard let table = unsafe map.l_ld else { return nil }
      unsafe base = UInt(map.l_addr)
      unsafe dynamic = UnsafePointer(table)
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

    /// An address in the table: glibc has made those of most libraries absolute, and not the kernel's.
    func address(_ tag: Int) -> UnsafeRawPointer? {
      guard let value = unsafe all(tag).first else { return nil }
      return unsafe UnsafeRawPointer(bitPattern: unsafe value < base ? value + base : value)
    }

    /// A name of the string table.
    func name(at offset: UInt) -> [UInt8] {
      guard let strings = unsafe address(Int(DT_STRTAB)) else { return [] }
      let start = unsafe (strings + Int(offset)).assumingMemoryBound(to: UInt8.self)
      return unsafe Array(UnsafeBufferPointer(start: start, count: strlen(start)))
    }

    /// The versions that the library defines (LSB Core, "Symbol Versioning", Elf64_Verdef); empty where it has none.
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
  }
#endif
