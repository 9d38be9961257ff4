import Dispatch

/// What was heard, in its order, from whatever thread.
final class Heard: @unchecked Sendable {
  private let queue = DispatchQueue(label: "heard")
  private var texts: [String] = []

  func add(_ text: String) { queue.sync { texts.append(text) } }
  func clear() { queue.sync { texts = [] } }
  var all: [String] { queue.sync { texts } }
}
