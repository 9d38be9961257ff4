/// What ends an observation. It goes on when the token is let go of: its owner's end ends it, too.
public final class ObservationToken: Sendable {
  private let end: ReadWriteLock<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = ReadWriteLock(end) }

  /// Ends the observation. When it returns no call begins any more; one on another thread may still be under way.
  public func cancel() { end.write { $0.take() }?() }

  /// Ends the observation for whoever has taken the observer away already.
  func silence() { end.write { $0 = nil } }

  /// Whether it has ended.
  public var isCancelled: Bool { end.read { $0 == nil } }
}
