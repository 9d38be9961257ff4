internal import SignetSystem

#if canImport(Glibc)
  internal import Glibc

  /// A library of the process, which is kept loaded.
  @safe final class ProcessLibrary: @unchecked Sendable {
    // Sendable: the handle belongs to the dynamic linker, which any thread may call.
    private let handle: UnsafeMutableRawPointer

    /// The global scope: the program, what it was linked with, and what it has opened for all.
    static func global() -> ProcessLibrary? {
      unsafe dlopen(nil, RTLD_LAZY).map { unsafe ProcessLibrary($0) }
    }

    /// A loaded library, by a name without a slash, or nil. The caller has checked that a loaded library
    /// has this name: for another one, the system's folders would be searched.
    static func loaded(_ name: String) -> ProcessLibrary? {
      unsafe dlopen(name, RTLD_LAZY | RTLD_NOLOAD).map { unsafe ProcessLibrary($0) }
    }

    /// Opens a library for one caller, and binds all of it at once.
    ///
    /// - Throws: the dynamic linker's message.
    static func open(_ path: String) throws(LinkerFailure) -> ProcessLibrary {
      guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw LinkerFailure.last() }
      return unsafe ProcessLibrary(handle)
    }

    /// The library is never closed: code that ran stays.
    private init(_ handle: UnsafeMutableRawPointer) { unsafe self.handle = handle }

    /// Whether both are the same library.
    func isSame(as other: ProcessLibrary) -> Bool { unsafe handle == other.handle }

    /// A number that identifies the library.
    var number: UInt { unsafe UInt(bitPattern: handle) }

    /// Whether the library, or one that it needs, defines a symbol.
    func defines(_ symbol: [UInt8], version: String?) -> Bool {
      let found = unsafe find(symbol, version)
      // A symbol's value may be zero, so dlerror decides.
      return unsafe found != nil || dlerror() == nil
    }

    private func find(_ symbol: [UInt8], _ version: String?) -> UnsafeMutableRawPointer? {
      let name = symbol.map { CChar(bitPattern: $0) } + [0]
      _ = unsafe dlerror()
      return if let version { unsafe dlvsym(handle, name, version) } else { unsafe dlsym(handle, name) }
    }

    /// The address of a symbol, or nil.
    func address(of symbol: String) -> UInt? {
      unsafe dlsym(handle, symbol).map { UInt(bitPattern: $0) }
    }

    private var map: link_map? {
      var map: UnsafeMutablePointer<link_map>?
      guard unsafe dlinfo(handle, Int32(RTLD_DI_LINKMAP), &map) == 0 else { return nil }
      return unsafe map?.pointee
    }

    /// The address to which the addresses in its file are relative.
    var base: UInt? { unsafe map.map { unsafe UInt($0.l_addr) } }

    /// The dynamic linker's name for it.
    var name: String? { unsafe map.flatMap { unsafe $0.l_name.map { unsafe String(cString: $0) } } }

    /// The versions that it defines; empty if it defines none.
    var versions: Set<[UInt8]> {
      guard let table = unsafe map?.l_ld else { return [] }
      return unsafe ProcessLibraries.versions(ofLibraryWith: table)
    }
  }

  /// An error of the dynamic linker.
  struct LinkerFailure: Error, CustomStringConvertible {
    let description: String

    /// The error of the calling thread's last call.
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

/// The libraries that all loaders of this process have opened.
enum OpenedLibraries {
  private static let numbers = Monitor(Set<UInt>())

  /// - Returns: false if it is one of them already.
  static func insert(_ number: UInt) -> Bool { numbers.withLock { $0.insert(number).inserted } }
}

/// The memory of this process.
enum ProcessMemory {
  /// The size of a page in bytes. Mappings begin and end with a page.
  static let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 4096))
}
