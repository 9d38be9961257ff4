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

  private func watch(_ number: Int, _ watch: LoadingWatch, _ load: () -> Void = {}) {
    watch.watch({ [told] in told.withLock { $0.append(number) } }, load)
  }

  @Test("one timer serves all loads: what is over is not told, and what is late is told once")
  func oneTimer() {
    let patience = LoadingWatch(.milliseconds(50))
    // The timer begins with the first one, and is still running with the last.
    for number in 0..<100 { watch(number, patience) }
    watch(100, patience) { while told.withLock(\.isEmpty) { usleep(1000) } }
    #expect(told.withLock(\.self) == [100])
    // The next one has a time of its own.
    watch(101, patience)
    watch(102, patience) { while told.withLock(\.count) < 2 { usleep(1000) } }
    #expect(told.withLock(\.self) == [100, 102])
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
