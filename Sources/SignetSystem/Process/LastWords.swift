#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What is appended to files that are open when the process ends in order, with exit(3) or by returning from `main`.
enum LastWords {
  private struct Words {
    /// Which file's they are, whatever descriptor it has.
    let number: UInt64
    let bytes: [UInt8]
    /// Says whether the thread that ends the process does so in order.
    let isInOrder: @Sendable () -> Bool
    /// The thread that runs somebody else's code just now. When it ends the process, that code does.
    var stranger: UInt?
  }
  private static let all = Monitor<[Int32: Words]>([:])
  /// A process that was forked off has the parent's handlers, and not its say.
  private static let process: pid_t = {
    atexit { LastWords.say() }
    return getpid()
  }()

  static func keep(_ bytes: [UInt8], for descriptor: Int32, where isInOrder: @escaping @Sendable () -> Bool) {
    _ = process
    all.withLock {
      $0[descriptor] = Words(number: .random(in: .min ... .max), bytes: bytes, isInOrder: isInOrder)
    }
  }

  static func forget(_ descriptor: Int32) { all.withLock { $0[descriptor] = nil } }

  static func note(_ descriptor: Int32, runsOthersCode: Bool) {
    let thread = runsOthersCode ? thread : nil
    all.withLock { $0[descriptor]?.stranger = thread }
  }

  private static var thread: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }

  private static func say() {
    guard process == getpid() else { return }
    let thread = thread
    let inOrder = all.withLock(\.self).filter { $0.value.stranger != thread && $0.value.isInOrder() }
    all.withLock { all in
      // Meanwhile a file may have been closed, and its number may be another's.
      for (descriptor, words) in inOrder where all[descriptor]?.number == words.number {
        try? SystemCall.write(descriptor, words.bytes)
      }
    }
  }
}

extension ProcessLockedFile {
  /// Has bytes appended when the process ends in order.
  ///
  /// - Parameter isInOrder: asked then, on the thread that ends the process. Code of others that runs on that thread, as
  ///   ``note(runsOthersCode:)`` has it, is known without asking.
  package func append(atExit bytes: [UInt8], where isInOrder: @escaping @Sendable () -> Bool) {
    LastWords.keep(bytes, for: descriptor, where: isInOrder)
  }

  /// Notes that this thread runs somebody else's code, or does no more: what that ends the process with is no end in order.
  package func note(runsOthersCode: Bool) { LastWords.note(descriptor, runsOthersCode: runsOthersCode) }
}
