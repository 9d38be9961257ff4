/// A URL that is being opened, and by whose handler.
///
/// A task that a handler leaves behind inherits the task-local value, and is no part of the handler: so an opening ends once the
/// handler has returned and answered, and is no link between others any more.
final class Opening: Sendable {
  /// Openings at most that are within each other: two modules that send a URL to each other come to an end before the stack
  /// does.
  private static let depthLimit = 64
  @TaskLocal private static var current: Opening?

  private struct State {
    /// What has to come before the end: the handler's return, and its answer where somebody waits for it.
    var pieces: Int
    var outer: Opening?
  }

  private let state: ReadWriteLock<State>

  private init(pieces: Int) { state = ReadWriteLock(State(pieces: pieces, outer: Self.current)) }

  /// Runs what opens a URL, as one that is within the opening that is under way here.
  ///
  /// - Parameter pending: the answer, where the body does not wait for it.
  /// - Throws: `route.too-deep`, and what the body throws.
  static func run<Value>(
    _ url: PluginURL, until pending: PendingAnswer? = nil, _ body: () throws(PluginError) -> Value
  ) throws(PluginError) -> Value {
    let opening = Opening(pieces: pending == nil ? 1 : 2)
    guard opening.depth <= depthLimit else {
      throw PluginError(
        .routeTooDeep, PluginURL.shown(url.text), "is opened by a handler, which was opened by another, and so on",
        expected: "at most \(depthLimit) within each other")
    }
    defer { opening.endPiece() }
    pending?.onFinish { opening.endPiece() }
    return try $current.withValue(opening) { Result { () throws(PluginError) in try body() } }.get()
  }

  private func endPiece() {
    // A chain of openings that end is let go of one by one, and outside of the lock.
    let outer = state.write { state -> Opening? in
      state.pieces -= 1
      return state.pieces == 0 ? state.outer.take() : nil
    }
    withExtendedLifetime(outer) {}
  }

  /// How many are under way here, this one included.
  private var depth: Int {
    var depth = 0
    var next: Opening? = self
    while let opening = next {
      let (isUnderWay, outer) = opening.state.read { ($0.pieces > 0, $0.outer) }
      if isUnderWay { depth += 1 }
      next = outer
    }
    return depth
  }
}
