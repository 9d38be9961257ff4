package import SignetBase
package import SignetSystem

/// A line on the terminal that shows how much of a long piece of work is done. It appears after a second, and
/// disappears when the work ends.
package final class ProgressBar: Sendable {
  /// The number of milliseconds before it appears.
  private static let patience = 1000
  /// The number of milliseconds between two readings of the counter.
  private static let interval = 100
  private static let width = 30

  /// Runs `body` with a counter, and shows the counter if a person is watching.
  ///
  /// - Parameter size: the number of bytes to process; nil if the work determines it and tells the counter.
  package static func show<Value>(
    _ file: String, size: Int?, _ console: Console, _ body: (ProgressCounter) throws(SignetError) -> Value
  ) throws(SignetError) -> Value {
    let counter = ProgressCounter()
    guard !console.isQuiet, !console.isJSON, StandardStream.error.isTerminal, size != 0 else {
      return try body(counter)
    }
    let isDone = Monitor(false)
    let thread = WorkerThread { draw(file.display, size: size, counter: counter, until: isDone) }
    defer {
      isDone.withLock { $0 = true }
      thread?.join()
    }
    return try body(counter)
  }

  private static func draw(_ file: String, size: Int?, counter: ProgressCounter, until isDone: Monitor<Bool>) {
    guard !isDone.wait(milliseconds: patience, until: { $0 }) else { return }
    let clear: @Sendable () -> Void = { _ = StandardStream.error.write("\r\u{1b}[K") }
    Interruption.cleanUp(with: clear)
    repeat {
      let size = max(size ?? counter.expected, 1)
      let share = Double(min(counter.completed, size)) / Double(size)
      let filled = Int(share * Double(width))
      let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
      // After an interruption has cleared the line, the line is not drawn again.
      Interruption.held { _ = StandardStream.error.write("\r\u{1b}[K\(bar) \(Int(share * 100))% \(file)") }
    } while !isDone.wait(milliseconds: interval, until: { $0 })
    Interruption.cleanUp(with: nil)
    clear()
  }
}
