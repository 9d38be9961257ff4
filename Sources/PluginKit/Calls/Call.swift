/// A call of somebody else's code that is under way: a URL that is opened, an action, a notification that is posted, a service that is
/// made. Calls within each other count together, whatever they are.
///
/// A task that a handler leaves behind inherits the task-local value, and is no part of the handler: so a call ends once the
/// handler has returned and answered, and is no link between others any more.
final class Call: Sendable {
  /// Calls at most that are within each other: two modules that call each other come to an end before the stack does. 64 of
  /// them, with some frames each, fit into the smallest stack that threads have (512 KiB on macOS).
  static let depthLimit = 64
  @TaskLocal private static var current: Call?

  private struct State {
    /// What has to come before the end: the handler's return, and its answer where somebody waits for it.
    var pieces: Int
    var outer: Call?
  }

  private let state: ReadWriteLock<State>

  /// Begins a call within the one that is under way here. What runs it is ``run(_:)``, once, on whatever thread.
  ///
  /// - Parameters:
  ///   - code: of the error.
  ///   - object: what is called.
  ///   - pending: the answer, where there is one beside the handler's return.
  /// - Throws: the code, when there are too many within each other.
  init(_ code: PluginError.Code, _ object: @autoclosure () -> String, until pending: PendingAnswer? = nil)
    throws(PluginError)
  {
    state = ReadWriteLock(State(pieces: pending == nil ? 1 : 2, outer: Self.current))
    guard depth <= Self.depthLimit else {
      throw PluginError(
        code, PluginURL.shown(object()), "is called through too many nested calls",
        expected: "at most \(Self.depthLimit) nested calls", hint: "return from one of them first")
    }
    pending?.onFinish { self.endPiece() }
  }

  /// Runs what is called; calls that it makes are within this one.
  func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    defer { endPiece() }
    return try Self.$current.withValue(self) { Result { () throws(Failure) in try body() } }.get()
  }

  private func endPiece() {
    // A chain of calls that end is let go of one by one, and outside of the lock.
    let outer = state.write { state -> Call? in
      state.pieces -= 1
      return state.pieces == 0 ? state.outer.take() : nil
    }
    withExtendedLifetime(outer) {}
  }

  /// How many are under way here, this one included.
  private var depth: Int {
    var depth = 0
    var next: Call? = self
    while let call = next {
      let (isUnderWay, outer) = call.state.read { ($0.pieces > 0, $0.outer) }
      if isUnderWay { depth += 1 }
      next = outer
    }
    return depth
  }
}
