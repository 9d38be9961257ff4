internal import CLinux
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Who ends the process by exit(3). This is asked in a handler of exit, on the thread that has called it.
///
/// While code of modules is on trial, the process ends in order only if the host has said so before, or if the program
/// itself has called exit, or has returned from `main`. A module need not call exit with its own code: exit can be the
/// function of a thread, a timer, a signal or a queue. Then a library of the system is the caller. Such a library may
/// call exit for the host, too, but nobody could tell the one from the other.
enum ProcessEnd {
  private static let hasAnnounced = Monitor(false)

  /// Notes that the host ends the process, no matter which code calls exit.
  static func announce() { hasAnnounced.withLock { $0 = true } }

  /// Ends the process in order. What the program has printed so far comes before the last words.
  static func exit(_ status: Int32, after lastWords: () -> Void) -> Never {
    announce()
    fflush(nil)
    lastWords()
    #if canImport(Darwin)
      Darwin.exit(status)
    #elseif canImport(Musl)
      Musl.exit(status)
    #else
      Glibc.exit(status)
    #endif
  }

  /// Whether the process ends in order.
  static var isInOrder: Bool {
    guard ModuleCode.isThere, !hasAnnounced.withLock(\.self) else { return true }
    #if canImport(Glibc)
      return isByProgram(callers(), onMainThread: gettid() == getpid())
    #else
      return true
    #endif
  }

  /// What a call belongs to.
  enum Origin {
    case program
    /// libc.
    case system
    case other
  }

  /// Whether the program has called exit, or has returned from `main`.
  ///
  /// - Parameters:
  ///   - callers: what has called exit, what has called that, and so on.
  ///   - isOnMainThread: whether all this is on the thread that has called `main`.
  static func isByProgram(_ callers: [Origin], onMainThread isOnMainThread: Bool) -> Bool {
    switch callers.first {
    case .program: true
    // libc has called `main`, and the program's first instructions have called libc. When a signal interrupts the
    // program, `main` is among the callers.
    case .system: isOnMainThread && callers.drop { $0 == .system }.elementsEqual([.program])
    case .other, nil: false
    }
  }

  #if canImport(Glibc)
    /// How many calls are looked at. Handlers of exit, and its caller, are the last few.
    private static let depth = 256

    /// What has called exit, the last call first; empty if that cannot be told.
    private static func callers() -> [Origin] {
      var system = unsafe Dl_info()
      guard let exit = unsafe dlsym(nil, "exit"), unsafe dladdr(exit, &system) != 0,
        let program = ProcessLibraries.programBase
      else { return [] }
      var calls = unsafe [UnsafeMutableRawPointer?](repeating: nil, count: depth)
      let count = unsafe Int(backtrace(&calls, Int32(depth)))
      var callers: [Origin]?
      for index in 0..<count {
        var info = unsafe Dl_info()
        // A call that never returns may be the last instruction of its function. The address behind it is another's.
        guard let call = unsafe calls[index], unsafe dladdr(call - 1, &info) != 0 else {
          callers?.append(.other)
          continue
        }
        let origin: Origin =
          if unsafe UInt(bitPattern: info.dli_fbase) == program {
            .program
          } else if unsafe info.dli_fbase == system.dli_fbase {
            .system
          } else {
            .other
          }
        if callers != nil {
          callers?.append(origin)
        } else if unsafe info.dli_saddr == exit {
          callers = []
        }
      }
      return callers ?? []
    }
  #endif
}
