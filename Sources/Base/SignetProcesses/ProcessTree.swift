internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A process that this one has started, with those that it has started in turn.
///
/// Git has helpers that speak with servers, and that go on when git is killed. They are not put into a process group of
/// their own: then the terminal could not interrupt them together with this process.
enum ProcessTree {
  /// More than git has.
  private static let limit = 64
  /// The IDs of a process's children are shorter.
  private static let listLimit = 4096

  /// The children of this process that run, and for which nobody waits yet.
  private static let running = Monitor(Set<pid_t>())

  /// Starts a child, of which ``interrupt(_:)`` knows.
  static func start<Failure>(_ body: () throws(Failure) -> pid_t) throws(Failure) -> pid_t {
    try running.withLock { (running) throws(Failure) in
      let process = try body()
      running.insert(process)
      return process
    }
  }

  /// Forgets a child. From then on somebody may wait for it, so that its ID can become another process's.
  static func forget(_ process: pid_t) { running.withLock { _ = $0.remove(process) } }

  /// Passes a signal on to all children and their descendants.
  ///
  /// Who has started another gets it first. Otherwise it could see that the other has ended, go on, and end well.
  static func interrupt(_ number: Int32) {
    running.withLock { running in
      for process in running {
        for each in descendants(of: process, stopping: false) { signal(each, number) }
      }
    }
  }

  /// Kills a process and its descendants. Where the system does not tell them, the process alone is killed.
  ///
  /// - Parameter process: a child of this process, for which nobody has waited yet.
  static func kill(_ process: pid_t) {
    // What stands still starts nothing, and waits for no child whose ID could be given to another process.
    for process in descendants(of: process, stopping: true).reversed() { signal(process, SIGKILL) }
  }

  /// A process and its descendants, as far as the system tells them.
  private static func descendants(of process: pid_t, stopping: Bool) -> [pid_t] {
    var all: [pid_t] = [process]
    var next = 0
    while next < all.count, all.count < limit {
      if stopping { signal(all[next], SIGSTOP) }
      all += children(of: all[next])
      next += 1
    }
    return all
  }

  private static func signal(_ process: pid_t, _ number: Int32) {
    #if canImport(Darwin)
      _ = Darwin.kill(process, number)
    #elseif canImport(Musl)
      _ = Musl.kill(process, number)
    #else
      _ = Glibc.kill(process, number)
    #endif
  }

  private static func children(of process: pid_t) -> [pid_t] {
    #if canImport(Darwin)
      return []
    #else
      let descriptor = unsafe open("/proc/\(process)/task/\(process)/children", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return [] }
      defer { close(descriptor) }
      var text: [UInt8] = []
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: listLimit, alignment: 16)
      defer { unsafe buffer.deallocate() }
      while text.count < listLimit, let count = try? unsafe SystemCall.read(descriptor, into: buffer), count > 0 {
        unsafe text += buffer[..<count]
      }
      return text.split(separator: UInt8(ascii: " ")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    #endif
  }
}
