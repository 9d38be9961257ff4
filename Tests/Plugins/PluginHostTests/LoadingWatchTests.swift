import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import PluginHost

@Suite("what does not come back from being loaded")
struct LoadingWatchTests {
  private let told = Monitor<[Int]>([])
  private let faults = Monitor<[String]>([])
  private let current = Monitor<Int?>(nil)
  private static let patience = Duration.milliseconds(50)

  private func watch(_ number: Int, _ watch: LoadingWatch, _ load: () -> Void = {}) {
    let start = ContinuousClock.now
    current.withLock { $0 = number }
    watch.watch(
      { [told, faults, current] in
        told.withLock { $0.append(number) }
        if current.withLock(\.self) != number { faults.withLock { $0.append("\(number) was over") } }
        if ContinuousClock.now - start < Self.patience { faults.withLock { $0.append("\(number) was not late") } }
      }, load)
    current.withLock { $0 = nil }
  }

  private func wait(for number: Int) { while !told.withLock({ $0.contains(number) }) { usleep(1000) } }

  @Test("one timer serves all loads: what is over is not told, and what is late is told once")
  func oneTimer() {
    let patience = LoadingWatch(Self.patience)
    // The timer begins with the first one, and is still running with the last.
    for number in 0..<100 { watch(number, patience) }
    watch(100, patience) { wait(for: 100) }
    // The next one has a time of its own.
    watch(101, patience)
    watch(102, patience) { wait(for: 102) }
    // On a busy machine one of the others can be late, too.
    let all = told.withLock(\.self)
    #expect(Set(all).count == all.count && Set(all).isSuperset(of: [100, 102]), "\(all)")
    #expect(faults.withLock(\.isEmpty), "\(faults.withLock(\.self))")
  }

  @Test("a patience of a hundred years is one")
  func longPatience() {
    let patience = LoadingWatch(.seconds(Int64.max / 2))
    watch(1, patience)
    #expect(told.withLock(\.isEmpty))
  }

  @Test("a load's fault is the caller's")
  func failure() {
    let patience = LoadingWatch(.seconds(3600))
    let error = expectError(.loaderFinal) {
      try patience.watch({}) { () throws(SignetError) in throw SignetError(.loaderFinal, "a", "failed") }
    }
    #expect(error?.object == "a")
  }
}
