internal import SignetSystem

#if canImport(Glibc)
  internal import Glibc
  internal import SignetCrypto

  /// The libraries of this process, as glibc's dynamic linker distinguishes them: by their names.
  enum ProcessLibraries {
    /// Names by which a loaded library is found without searching a folder: those that it gives itself (DT_SONAME), and
    /// those by which others needed it (DT_NEEDED).
    ///
    /// Only libraries that were loaded since the last call are read, because a host with many modules asks for each.
    static func names() -> Set<[UInt8]> {
      known.withLock { known in
        let reader = Reader(known)
        withExtendedLifetime(reader) {
          _ = unsafe dl_iterate_phdr(
            { info, _, reader in
              guard let info = unsafe info, let reader = unsafe reader else { return 0 }
              return unsafe Unmanaged<Reader>.fromOpaque(reader).takeUnretainedValue().read(info.pointee) ? 0 : 1
            }, Unmanaged.passUnretained(reader).toOpaque())
        }
        known = reader.known
        return known.names
      }
    }

    private static let known = Monitor(Known())

    /// What was read of the dynamic linker's list, which grows at its end. `added` and `removed` are its counts of all
    /// libraries so far (dl_iterate_phdr(3)).
    private struct Known {
      var added: UInt64 = 0
      var removed: UInt64 = 0
      var count = 0
      var names: Set<[UInt8]> = []
    }

    private final class Reader {
      private(set) var known: Known
      private var index = 0
      private var hasBegun = false

      init(_ known: Known) { self.known = known }

      /// - Returns: false if nothing has changed, so that the rest need not be read.
      func read(_ info: dl_phdr_info) -> Bool {
        if !hasBegun {
          hasBegun = true
          let (added, removed) = unsafe (info.dlpi_adds, info.dlpi_subs)
          guard (added, removed) != (known.added, known.removed) else { return false }
          // The list is a different one now, so it is read from its beginning.
          if removed != known.removed { known = Known() }
          (known.added, known.removed) = (added, removed)
        }
        defer { index += 1 }
        guard index >= known.count else { return true }
        known.count += 1
        guard let table = unsafe LoadedTable(info) else { return true }
        unsafe known.names.formUnion(table.all(Int(DT_NEEDED)).map { unsafe table.name(at: $0) })
        unsafe known.names.formUnion(table.all(Int(DT_SONAME)).map { unsafe table.name(at: $0) })
        return true
      }
    }

    /// Whether a library was loaded under a path.
    static func has(path: String) -> Bool {
      // RTLD_NOLOAD looks only among loaded libraries. The path is that of our own descriptor, which has no library
      // yet.
      guard let handle = unsafe dlopen(path, RTLD_LAZY | RTLD_NOLOAD) else { return false }
      unsafe dlclose(handle)
      return true
    }
  }

  /// The dynamic table of a loaded library. The dynamic linker has used it already, so it is sound.
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

    /// An address in the table. glibc has made those of most libraries absolute, but not the kernel's.
    func address(_ tag: Int) -> UnsafeRawPointer? {
      guard let value = unsafe all(tag).first else { return nil }
      return unsafe UnsafeRawPointer(bitPattern: unsafe value < base ? value + base : value)
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
  }
#endif
