internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Whether the user has interrupted: it is asked about between two runs, so that the work folder is removed.
enum Interruption {
  private static let happened = Atomic<Bool>(false)

  /// Takes the signals that end a program; programs started from here get them as usual.
  static func install() {
    // Made before a signal can come: making it takes a lock.
    happened.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { _ in Interruption.happened.store(true, ordering: .relaxed) }
    }
  }

  /// - Throws: when a signal has come.
  static func check() throws {
    if happened.load(ordering: .relaxed) { throw BenchFailure(message: "interrupted") }
  }
}
