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
        var reader = Reader(known)
        unsafe each { unsafe reader.read($0) }
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

    private struct Reader {
      private(set) var known: Known
      private var index = 0
      private var hasBegun = false

      init(_ known: Known) { self.known = known }

      /// - Returns: false if nothing has changed, so that the rest need not be read.
      mutating func read(_ info: dl_phdr_info) -> Bool {
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

    /// Reads one library after the other. None of them is closed meanwhile.
    ///
    /// - Parameter read: returns whether the rest shall be read.
    private static func each(_ read: @escaping (dl_phdr_info) -> Bool) {
      let call = unsafe Call(read)
      unsafe withExtendedLifetime(call) {
        _ = unsafe dl_iterate_phdr(
          { info, _, call in
            guard let info = unsafe info, let call = unsafe call else { return 0 }
            return unsafe Unmanaged<Call>.fromOpaque(call).takeUnretainedValue().read(info.pointee) ? 0 : 1
          }, Unmanaged.passUnretained(call).toOpaque())
      }
    }

    @unsafe private final class Call {
      let read: (dl_phdr_info) -> Bool
      init(_ read: @escaping (dl_phdr_info) -> Bool) { unsafe self.read = read }
    }

    /// The versions that a library defines; empty if it defines none.
    ///
    /// - Parameter dynamic: where its dynamic table is.
    static func versions(ofLibraryWith dynamic: UnsafePointer<Elf64_Dyn>) -> Set<[UInt8]> {
      var versions: Set<[UInt8]> = []
      unsafe each { info in
        guard let table = unsafe LoadedTable(info), unsafe table.dynamic == dynamic else { return true }
        unsafe versions = table.versions()
        return false
      }
      return versions
    }

    /// What a library of the process defines under a name.
    struct Definition {
      /// The dynamic linker's name for the library; empty for the program.
      let library: String
      let symbol: LoadedTable.Symbol
      /// Whether the library belongs to a module.
      let isOfModule: Bool

      /// The library's name for messages.
      var shownLibrary: String { library.isEmpty ? "the program" : library }
    }

    /// What all libraries of the process define under some names, in any version.
    static func definitions(of names: Set<[UInt8]>) -> [[UInt8]: [Definition]] {
      var found: [[UInt8]: [Definition]] = [:]
      guard !names.isEmpty else { return found }
      unsafe each { info in
        guard let table = unsafe LoadedTable(info) else { return true }
        let library = unsafe info.dlpi_name.map { unsafe String(cString: $0) } ?? ""
        for name in names {
          for symbol in unsafe table.definitions(of: name) {
            found[name, default: []].append(
              Definition(library: library, symbol: symbol, isOfModule: ModuleCode.contains(library)))
          }
        }
        return true
      }
      return found
    }

    /// Where the program begins in memory, as dladdr(3) says it.
    static var programBase: UInt? {
      var base: UInt?
      // The program comes first.
      unsafe each { info in
        var program = unsafe Dl_info()
        if let headers = unsafe info.dlpi_phdr, unsafe dladdr(headers, &program) != 0 {
          base = unsafe UInt(bitPattern: program.dli_fbase)
        }
        return false
      }
      return base
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
#endif
