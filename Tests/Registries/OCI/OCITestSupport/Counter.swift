import Foundation

/// A count that several threads share.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0
  var value: Int { lock.withLock { number } }
  func count() { lock.withLock { number += 1 } }
  func isBelow(_ limit: Int) -> Bool { value < limit }
}
