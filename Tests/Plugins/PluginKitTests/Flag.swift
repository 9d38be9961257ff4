import Dispatch

/// Tells another thread to end, and waits until it has.
final class Flag: @unchecked Sendable {
  private let queue = DispatchQueue(label: "flag")
  private let ended = DispatchSemaphore(value: 0)
  private var value = false

  var isSet: Bool { queue.sync { value } }

  func set() {
    queue.sync { value = true }
    ended.wait()
  }

  func end() { ended.signal() }
}
