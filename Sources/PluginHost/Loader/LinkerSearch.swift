internal import SignetSystem

#if canImport(Glibc)
  internal import Glibc

  /// Where the dynamic linker looks for a library by its name (ld.so(8)): the search path of the program, the folders that
  /// LD_LIBRARY_PATH names, those of the system, and the cache of ldconfig(8).
  ///
  /// What it would find there may be opened later by whoever is in the process. It would be given a module's library instead, were that
  /// loaded under the name.
  enum LinkerSearch {
    /// Whether there is a library of a name.
    static func finds(_ name: String) -> Bool {
      !name.utf8.contains(UInt8(ascii: "/"))
        && (folders().contains { unsafe access($0 + "/" + name, F_OK) == 0 } || isInCache(name))
    }

    /// The folders that are looked through for the program (dlinfo(3), RTLD_DI_SERINFO).
    static func folders() -> [String] {
      guard let program = unsafe dlopen(nil, RTLD_LAZY) else { return [] }
      defer { unsafe dlclose(program) }
      var head = Dl_serinfo()
      guard unsafe dlinfo(program, Int32(RTLD_DI_SERINFOSIZE), &head) == 0,
        head.dls_size >= headSize, head.dls_size <= sizeLimit
      else { return [] }
      let size = Int(head.dls_size)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      defer { unsafe memory.deallocate() }
      // The call wants the numbers of the one before.
      unsafe memory.storeBytes(of: head.dls_size, as: type(of: head.dls_size))
      unsafe memory.storeBytes(of: head.dls_cnt, toByteOffset: 8, as: type(of: head.dls_cnt))
      guard unsafe dlinfo(program, Int32(RTLD_DI_SERINFO), memory) == 0 else { return [] }
      return (0..<min(Int(head.dls_cnt), (size - headSize) / entrySize)).compactMap { index in
        unsafe memory.load(fromByteOffset: headSize + index * entrySize, as: UnsafePointer<CChar>?.self)
          .map { unsafe String(cString: $0) }
      }
    }

    /// Bytes in front of the first entry, and of each (dlfcn.h, Dl_serinfo, Dl_serpath).
    private static let headSize = 16
    private static let entrySize = 16
    /// Bytes of the list at most: some thousand folders.
    private static let sizeLimit = 1 << 20
    private static let cachePath = "/etc/ld.so.cache"
    /// Bytes of the cache at most. One of 5000 libraries has 0.5 MB.
    private static let cacheLimit = 32 << 20

    /// The cache's form is the dynamic linker's own; in all its forms, names end in NUL, and stand behind another's end or behind the
    /// folder of their path.
    private static func isInCache(_ name: String) -> Bool {
      guard let file = try? RegularFile(opening: cachePath), let bytes = try? file.bytes(limit: cacheLimit) else {
        return false
      }
      return finds(Array(name.utf8) + [0], in: bytes)
    }

    /// Whether a name, with its end, stands somewhere as a whole.
    private static func finds(_ name: [UInt8], in cache: [UInt8]) -> Bool {
      unsafe cache.withUnsafeBytes { cache in
        guard let base = cache.baseAddress else { return false }
        var start = 0
        while let found = unsafe memmem(base + start, cache.count - start, name, name.count) {
          let place = unsafe UnsafeRawPointer(found) - base
          if unsafe place == 0 || [0, UInt8(ascii: "/")].contains(cache[place - 1]) { return true }
          start = place + 1
        }
        return false
      }
    }
  }
#endif
