internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The main thread, and the main queue that it serves.
///
/// A thread that waits for a handler serves nothing else. If that is the main thread, a handler that needs it would
/// wait for ever. So the main thread serves the main queue while it waits.
package enum MainThread {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether this code may run what belongs to the main actor: it is on the main queue, and so is the main thread while
  /// it serves no other queue.
  package static var isMainActor: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Wakes the main thread up if it waits here.
  static func wake() { DispatchQueue.main.async {} }

  #if canImport(Darwin)
    /// Whether this is the main thread.
    static var isCurrent: Bool { pthread_main_np() != 0 }

    /// Runs the run loop until something was done, or the time is over. It is looked up by name, because this library
    /// does not link CoreFoundation.
    ///
    /// - Returns: false in a program without CoreFoundation, which has no run loop.
    @discardableResult private static func run(_ seconds: Double) -> Bool {
      let all = unsafe UnsafeMutableRawPointer(bitPattern: -2)
      guard let run = unsafe dlsym(all, "CFRunLoopRunInMode"), let mode = unsafe dlsym(all, "kCFRunLoopDefaultMode")
      else { return false }
      let function = unsafe unsafeBitCast(
        run, to: (@convention(c) (UnsafeRawPointer?, Double, UInt8) -> Int32).self)
      _ = unsafe function(mode.load(as: UnsafeRawPointer?.self), seconds, 1)
      return true
    }

    /// Runs what is in the main queue now.
    ///
    /// - Returns: false if that is not possible.
    private static func serveNow() -> Bool { run(0) }

    /// Serves the main queue until something was done, or the time is over.
    private static func serve(_ left: Duration) {
      let (seconds, attoseconds) = left.components
      run(min(Double(seconds) + Double(attoseconds) / 1e18, 3600))
    }
  #else
    /// The functions by which run loops serve the main queue of libdispatch (CoreFoundation calls the same). They and
    /// gettid are looked up by name, because no header that Swift sees declares them.
    private struct Functions {
      let threadNumber: @convention(c) () -> Int32
      let queueHandle: @convention(c) () -> Int32
      let serveQueue: @convention(c) (Int) -> Void
    }

    private static let functions: Functions? = {
      guard let number = unsafe dlsym(nil, "gettid"),
        let handle = unsafe dlsym(nil, "_dispatch_get_main_queue_handle_4CF"),
        let serve = unsafe dlsym(nil, "_dispatch_main_queue_callback_4CF")
      else { return nil }
      return unsafe Functions(
        threadNumber: unsafeBitCast(number, to: (@convention(c) () -> Int32).self),
        queueHandle: unsafeBitCast(handle, to: (@convention(c) () -> Int32).self),
        serveQueue: unsafeBitCast(serve, to: (@convention(c) (Int) -> Void).self))
    }()

    /// Whether this is the main thread.
    static var isCurrent: Bool { functions.map { $0.threadNumber() == getpid() } ?? false }

    /// Runs what is in the main queue now.
    ///
    /// - Returns: false if that is not possible.
    private static func serveNow() -> Bool {
      guard let functions else { return false }
      functions.serveQueue(0)
      return true
    }

    /// Waits until the main queue has something, or the time is over.
    private static func serve(_ left: Duration) {
      guard let functions else { return }
      let handle = functions.queueHandle()
      var descriptor = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      // Rounded up: a wait that ends early would begin again and again.
      let (seconds, attoseconds) = left.components
      let milliseconds =
        seconds > 3600 ? 3_600_000 : seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
      guard unsafe poll(&descriptor, 1, Int32(max(milliseconds, 0))) > 0 else { return }
      // The handle is an eventfd that does not block. It is emptied first, so that nothing that comes later is missed.
      var count: UInt64 = 0
      _ = unsafe read(handle, &count, MemoryLayout<UInt64>.size)
      functions.serveQueue(0)
    }
  #endif

  /// Waits on the main thread, which serves the main queue meanwhile.
  ///
  /// The code that makes the condition true has to call ``wake()`` after that.
  ///
  /// - Returns: false if this is not the main thread, or it cannot serve the queue because it runs code of the queue
  ///   just now. Then nothing was waited for.
  static func wait(_ limit: Duration, until isDone: () -> Bool) -> Bool {
    guard isCurrent else { return false }
    let probe = Probe()
    DispatchQueue.main.async { probe.hasRun = true }
    guard serveNow(), probe.hasRun else { return false }
    let clock = ContinuousClock()
    let start = clock.now
    while !isDone() {
      let left = limit - (clock.now - start)
      guard left > .zero else { break }
      serve(left)
    }
    return true
  }

  /// Whether a block of the main queue has run. Only the main thread uses it.
  private final class Probe: @unchecked Sendable { var hasRun = false }
}
