internal import CLinux
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The record of which libraries of the process belong to modules.
enum ModuleCode {
  /// The dynamic linker's names for them.
  private static let names = Monitor<Set<String>>([])
  /// How many calls are looked at. Handlers of exit(3), and its caller, are the last few.
  private static let depth = 256

  /// Notes a library, before any of it runs.
  static func add(_ name: String) { names.withLock { _ = $0.insert(name) } }

  /// Whether a library belongs to a module, by the dynamic linker's name for it.
  static func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

  /// Whether code of a module has called exit(3). This is asked in a handler of exit.
  ///
  /// The caller comes after the last calls within libc. If the host's code is the caller, the process ends in order,
  /// even if a module has called that code.
  static var endsProcess: Bool {
    #if canImport(Glibc)
      let names = names.withLock(\.self)
      var system = unsafe Dl_info()
      guard !names.isEmpty, let exit = unsafe dlsym(nil, "exit"), unsafe dladdr(exit, &system) != 0 else {
        return false
      }
      var calls = unsafe [UnsafeMutableRawPointer?](repeating: nil, count: depth)
      let count = unsafe Int(backtrace(&calls, Int32(depth)))
      var isWithinExit = false
      for index in 0..<count {
        var info = unsafe Dl_info()
        let isKnown = unsafe calls[index].map { unsafe dladdr($0, &info) != 0 } ?? false
        if isKnown, unsafe info.dli_fbase == system.dli_fbase {
          isWithinExit = true
        } else if isWithinExit {
          guard isKnown, let name = unsafe info.dli_fname else { return false }
          return names.contains(unsafe String(cString: name))
        }
      }
    #endif
    return false
  }
}
