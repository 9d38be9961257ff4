internal import Synchronization

/// How many bytes of a piece of work are done: written by the work, read by whoever shows it, from any thread.
public final class ProgressCounter: Sendable {
  private let bytes = Atomic<Int>(0)
  private let sum = Atomic<Int>(0)

  /// A counter at zero.
  public init() {}

  /// Bytes done so far.
  public var completed: Int { bytes.load(ordering: .relaxed) }

  /// Bytes there are to do, where the work has to find out by itself; otherwise 0.
  public var expected: Int { sum.load(ordering: .relaxed) }

  package func expect(_ count: Int) { sum.wrappingAdd(count, ordering: .relaxed) }

  package func add(_ count: Int) { bytes.wrappingAdd(count, ordering: .relaxed) }
}
