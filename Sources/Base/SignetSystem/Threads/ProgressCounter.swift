internal import Synchronization

/// The number of bytes of a task that are done; the task writes it, and any thread may read it to show progress.
public final class ProgressCounter: Sendable {
  private let bytes = Atomic<Int>(0)
  private let sum = Atomic<Int>(0)

  /// Creates a counter at zero.
  public init() {}

  /// The number of bytes done so far.
  public var completed: Int { bytes.load(ordering: .relaxed) }

  /// The number of bytes to be done, if the task has to determine it by itself; otherwise 0.
  public var expected: Int { sum.load(ordering: .relaxed) }

  package func expect(_ count: Int) { sum.wrappingAdd(count, ordering: .relaxed) }

  package func add(_ count: Int) { bytes.wrappingAdd(count, ordering: .relaxed) }
}
