internal import SignetSystem

#if canImport(Glibc)
  internal import Glibc

  /// Where the dynamic linker looks for a library by its name (ld.so(8)).
  ///
  /// These are the search path of the program, the folders that LD_LIBRARY_PATH names, the system's folders, and the
  /// cache of ldconfig(8). Other code in the process may later open what the linker would find there. If a module's
  /// library were loaded under that name, it would get the module's instead.
  enum LinkerSearch {
    /// Whether there is a library with this name.
    static func finds(_ name: String) -> Bool {
      !name.utf8.contains(UInt8(ascii: "/"))
        && (folders().contains { unsafe access($0 + "/" + name, F_OK) == 0 } || isInCache(name))
    }

    /// The folders that are searched for the program (dlinfo(3), RTLD_DI_SERINFO).
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
      // The call expects the numbers of the call before.
      unsafe memory.storeBytes(of: head.dls_size, as: type(of: head.dls_size))
      unsafe memory.storeBytes(of: head.dls_cnt, toByteOffset: 8, as: type(of: head.dls_cnt))
      guard unsafe dlinfo(program, Int32(RTLD_DI_SERINFO), memory) == 0 else { return [] }
      return (0..<min(Int(head.dls_cnt), (size - headSize) / entrySize)).compactMap { index in
        unsafe memory.load(fromByteOffset: headSize + index * entrySize, as: UnsafePointer<CChar>?.self)
          .map { unsafe String(cString: $0) }
      }
    }

    /// The size of what comes before the first entry, and of an entry, in bytes (dlfcn.h, Dl_serinfo, Dl_serpath).
    private static let headSize = 16
    private static let entrySize = 16
    /// The greatest size of the list in bytes: some thousand folders.
    private static let sizeLimit = 1 << 20
    private static let cachePath = "/etc/ld.so.cache"
    /// The greatest size of the cache in bytes. A cache of 5000 libraries has 0.5 MB.
    private static let cacheLimit = 32 << 20

    /// Whether the cache has a name.
    ///
    /// The cache's form is private to the dynamic linker. In all its forms, names end in NUL, and follow the end of
    /// another name or the folder of their path.
    private static func isInCache(_ name: String) -> Bool {
      guard let file = try? RegularFile(opening: cachePath), let bytes = try? file.bytes(limit: cacheLimit) else {
        return false
      }
      return finds(Array(name.utf8) + [0], in: bytes)
    }

    /// Whether a name, including its end, occurs as a whole.
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
