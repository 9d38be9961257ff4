/// A call of a handler, action, observer or service that is under way.
///
/// It is a URL that is opened, an action, a notification that is posted, or a service that is made. Nested calls count
/// together, whatever their kind.
///
/// A task that a handler leaves behind inherits the task-local value, but is not part of the handler. So a call ends
/// once the handler has returned and answered. From then on it no longer links other calls.
final class Call: Sendable {
  /// The greatest number of nested calls. Two modules that call each other reach it before the stack overflows. 64
  /// calls, with some frames each, fit into the smallest stack that threads have (512 KiB on macOS).
  static let depthLimit = HandlerThreads.nestingLimit
  @TaskLocal private static var current: Call?

  private struct State {
    /// How much is left before the call ends: the handler's return, and its answer if a caller waits for it.
    var pieces: Int
    var outer: Call?
  }

  private let state: ReadWriteLock<State>

  /// The call that a new one is nested in.
  enum Outer: Sendable {
    /// The one that runs this code, if any.
    case current
    /// This one, if any.
    case call(Call?)

    /// The call itself. It can be passed to another thread.
    var call: Call? {
      switch self {
      case .current: Call.current
      case .call(let call): call
      }
    }
  }

  /// Begins a call within another one. ``run(_:)`` then runs it once, on any thread.
  ///
  /// - Parameters:
  ///   - code: the code of the error.
  ///   - object: what is called.
  ///   - pending: the answer, if there is one apart from the handler's return.
  ///   - outer: the call that this one is nested in.
  ///   - room: how many calls there has to be room for within this one.
  /// - Throws: an error with this code if too many calls are nested.
  init(
    _ code: PluginError.Code, _ object: @autoclosure () -> String, until pending: PendingAnswer? = nil,
    within outer: Outer = .current, leaving room: Int = 0
  ) throws(PluginError) {
    state = ReadWriteLock(State(pieces: pending == nil ? 1 : 2, outer: outer.call))
    guard depth <= Self.depthLimit - room else {
      throw PluginError(
        code, PluginURL.shown(object()), "is called through too many nested calls",
        expected: "at most \(Self.depthLimit) nested calls", hint: "return from one of them first")
    }
    pending?.onFinish { self.endPiece() }
  }

  /// Runs the body. Calls that it makes are nested in this one.
  func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    defer { endPiece() }
    return try Self.$current.withValue(self) { Result { () throws(Failure) in try body() } }.get()
  }

  private func endPiece() {
    // The calls of a chain that ends are released one by one, and outside of the lock.
    let outer = state.write { state -> Call? in
      state.pieces -= 1
      return state.pieces == 0 ? state.outer.take() : nil
    }
    withExtendedLifetime(outer) {}
  }

  /// How many calls are under way here, including this one.
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
