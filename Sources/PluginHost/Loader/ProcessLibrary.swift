internal import SignetSystem

#if canImport(Glibc)
  internal import Glibc

  /// A library that the process has, kept from going.
  @safe final class ProcessLibrary: @unchecked Sendable {
    // Sendable: the handle is the dynamic linker's, which any thread may ask.
    private let handle: UnsafeMutableRawPointer

    /// What everybody sees: the program, what it was linked with, and what it has opened for all.
    static func global() -> ProcessLibrary? {
      unsafe dlopen(nil, RTLD_LAZY).map { unsafe ProcessLibrary($0) }
    }

    /// A library that is loaded, by a name without a slash; nil where there is none. The caller has made sure that the name is that of
    /// a library that is loaded: for another one the system's folders would be looked through.
    static func loaded(_ name: String) -> ProcessLibrary? {
      unsafe dlopen(name, RTLD_LAZY | RTLD_NOLOAD).map { unsafe ProcessLibrary($0) }
    }

    /// Opens a library for one caller, all of it bound at once.
    ///
    /// - Throws: what the dynamic linker says.
    static func open(_ path: String) throws(LinkerFailure) -> ProcessLibrary {
      guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw LinkerFailure.last() }
      return unsafe ProcessLibrary(handle)
    }

    /// It is never closed: code that ran stays.
    private init(_ handle: UnsafeMutableRawPointer) { unsafe self.handle = handle }

    /// Whether it is the same library.
    func isSame(as other: ProcessLibrary) -> Bool { unsafe handle == other.handle }

    /// A number for it, which is nobody else's.
    var number: UInt { unsafe UInt(bitPattern: handle) }

    /// Whether it, or what it needs, defines a symbol.
    func defines(_ symbol: [UInt8], version: String?) -> Bool {
      let found = unsafe find(symbol, version)
      // A symbol's value may be zero: dlerror tells.
      return unsafe found != nil || dlerror() == nil
    }

    /// Whether each thread has a copy of what it, or what it needs, defines under a name: that lies in none of the libraries.
    func hasThreadLocal(_ symbol: [UInt8], version: String?) -> Bool {
      guard let found = unsafe find(symbol, version) else { return false }
      var info = unsafe Dl_info()
      return unsafe dladdr(found, &info) == 0
    }

    private func find(_ symbol: [UInt8], _ version: String?) -> UnsafeMutableRawPointer? {
      let name = symbol.map { CChar(bitPattern: $0) } + [0]
      _ = unsafe dlerror()
      return if let version { unsafe dlvsym(handle, name, version) } else { unsafe dlsym(handle, name) }
    }

    /// Where a symbol is; nil where there is none.
    func address(of symbol: String) -> UInt? {
      unsafe dlsym(handle, symbol).map { UInt(bitPattern: $0) }
    }

    private var map: link_map? {
      var map: UnsafeMutablePointer<link_map>?
      guard unsafe dlinfo(handle, Int32(RTLD_DI_LINKMAP), &map) == 0 else { return nil }
      return unsafe map?.pointee
    }

    /// The address that the addresses in its file count from.
    var base: UInt? { unsafe map.map { unsafe UInt($0.l_addr) } }

    /// What the dynamic linker calls it.
    var name: String? { unsafe map.flatMap { unsafe $0.l_name.map { unsafe String(cString: $0) } } }

    /// The versions that it defines; empty where it has none.
    var versions: Set<[UInt8]> {
      guard let map = unsafe map, let table = unsafe LoadedTable(map) else { return [] }
      return unsafe table.versions()
    }
  }

  /// What the dynamic linker has to say.
  struct LinkerFailure: Error, CustomStringConvertible {
    let description: String

    /// Why the calling thread's last call failed.
    static func last() -> LinkerFailure {
      LinkerFailure(description: unsafe dlerror().map { unsafe String(cString: $0) } ?? "dlopen failed")
    }
  }
#endif

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The libraries that loaders of this process have opened, whichever loader it was.
enum OpenedLibraries {
  private static let numbers = Monitor(Set<UInt>())

  /// - Returns: false when it is one of them already.
  static func insert(_ number: UInt) -> Bool { numbers.withLock { $0.insert(number).inserted } }
}

/// The memory of this process.
enum ProcessMemory {
  /// Bytes of a page: what is mapped begins and ends with one.
  static let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 4096))
}
