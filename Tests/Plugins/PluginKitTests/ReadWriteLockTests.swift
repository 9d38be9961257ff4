import Foundation
import Testing

@testable import PluginKit

@Suite("A lock for many who read") struct ReadWriteLockTests {
  @Test("reading waits for no other reading", .timeLimit(.minutes(60)))
  func reads() async {
    let lock = ReadWriteLock(1)
    // Each stays within the lock until the other is there.
    let (one, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isThere = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        lock.read { _ in
          one.signal()
          _ = other.wait(timeout: .now() + .seconds(1800))
        }
      }
      Thread.detachNewThread {
        continuation.resume(
          returning: lock.read { _ in
            other.signal()
            return one.wait(timeout: .now() + .seconds(1800)) == .success
          })
      }
    }
    #expect(isThere)
  }
}
