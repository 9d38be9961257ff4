internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Bytes that are appended to open files when the process ends normally, by exit(3) or by returning from `main`.
enum LastWords {
  private struct Words {
    /// Identifies the file, because its descriptor may be reused.
    let number: UInt64
    let bytes: [UInt8]
    /// Whether the thread that ends the process ends it normally.
    let isInOrder: @Sendable () -> Bool
    /// The thread that runs foreign code now. If it ends the process, the foreign code ends it.
    var stranger: UInt?
  }
  private static let all = Monitor<[Int32: Words]>([:])
  /// The process that registered the handler. A forked process inherits the handler, but must not run it.
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
      // Meanwhile a file may have been closed, and its descriptor may belong to another file.
      for (descriptor, words) in inOrder where all[descriptor]?.number == words.number {
        try? SystemCall.write(descriptor, words.bytes)
      }
    }
  }
}

extension ProcessLockedFile {
  /// Has bytes appended when the process ends normally.
  ///
  /// - Parameter isInOrder: called at the end, on the thread that ends the process. It is not called if
  ///   ``note(runsOthersCode:)`` says that this thread runs foreign code.
  package func append(atExit bytes: [UInt8], where isInOrder: @escaping @Sendable () -> Bool) {
    LastWords.keep(bytes, for: descriptor, where: isInOrder)
  }

  /// Notes whether this thread runs foreign code; if that code ends the process, this is not a normal end.
  package func note(runsOthersCode: Bool) { LastWords.note(descriptor, runsOthersCode: runsOthersCode) }
}
