/// A token that ends an observation.
///
/// Releasing the token does not end the observation; removing its owner does.
public final class ObservationToken: Sendable {
  private let end: ReadWriteLock<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = ReadWriteLock(end) }

  /// Ends the observation. After it returns, no new call begins; one on another thread may still be under way.
  public func cancel() { end.write { $0.take() }?() }

  /// Marks the observation as ended, for a caller that has already removed the observer.
  func silence() { end.write { $0 = nil } }

  /// Whether the observation has ended.
  public var isCancelled: Bool { end.read { $0 == nil } }
}
