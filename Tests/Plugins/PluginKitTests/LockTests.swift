import Dispatch
import Foundation
import PluginKit
import Testing

/// Calls back when it goes.
private final class Probe: Sendable {
  private let end: @Sendable () -> Void
  init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}

/// Seconds that end a test that hangs. Nothing here takes a second by itself.
private let patience = 1800.0

/// Whether something ends on a thread of its own.
private func ends(_ body: @escaping @Sendable () -> Void) -> Bool {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  return done.wait(timeout: .now() + patience) == .success
}

/// Each in a process of its own: what is wrong here hangs or crashes.
@Suite("what is let go of may call back") struct LockTests {
  @Test("a handler of the presenter that goes may call back: its end is outside of the lock")
  func presenterEnd() async {
    await #expect(processExitsWith: .success) {
      let fine = ends {
        let presenter = Presenter()
        do {
          let probe = Probe { _ = presenter.state }
          presenter.onChange { _ in withExtendedLifetime(probe) {} }
        }
        presenter.onChange(nil)
        presenter.push("after")
      }
      exit(fine ? 0 : 1)
    }
  }

  @Test("a global fallback that goes may call back: its end is outside of the lock")
  func missingEnd() async {
    await #expect(processExitsWith: .success) {
      let fine = ends {
        let targets = Targets()
        do {
          let probe = Probe { _ = targets.hasTarget("T") }
          targets.onMissing { _ in withExtendedLifetime(probe) {} }
        }
        targets.onMissing(nil)
        _ = targets.hasTarget("T")
      }
      exit(fine ? 0 : 1)
    }
  }

  @Test("an object that ends its observation when it goes does not block who posts")
  func weakObserver() async {
    await #expect(processExitsWith: .success) {
      final class Page: Sendable {
        let box = TokenBox()
        // As a page would that ends its observation; where it goes by itself that is left out, so that there is more of
        // the other.
        deinit { if pthread_equal(pthread_self(), poster.id) != 0 { box.cancel() } }
      }
      let bus = NotificationBus()
      let stop = DispatchTime.now() + 1
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        poster.id = pthread_self()
        while DispatchTime.now() < stop { try? bus.post("n") }
        done.signal()
      }
      Thread.detachNewThread {
        while DispatchTime.now() < stop {
          var pages = (0..<4).map { _ in Page() }
          let tokens = pages.map { page in
            let token = try? bus.observe("n", object: page, owner: .host) { _ in }
            page.box.keep(token)
            return token
          }
          while !pages.isEmpty {
            usleep(UInt32.random(in: 0..<30))
            pages.removeLast()
          }
          for token in tokens { token?.cancel() }
        }
        done.signal()
      }
      for _ in 0..<2 where done.wait(timeout: stop + patience) != .success { exit(1) }
      exit(0)
    }
  }

  @Test("a weak provider that goes while another asks for its place may call back")
  func weakProvider() async {
    await #expect(processExitsWith: .success) {
      let services = Services()
      final class Provider: Speaker {
        let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
      }
      let stop = DispatchTime.now() + 1
      let done = DispatchSemaphore(value: 0)
      for _ in 0..<2 {
        Thread.detachNewThread {
          while DispatchTime.now() < stop {
            let provider = Provider { _ = services.resolve((any Speaker).self) }
            try? services.provide((any Speaker).self, owner: .host, weak: provider)
          }
          done.signal()
        }
      }
      for _ in 0..<2 where done.wait(timeout: stop + patience) != .success { exit(1) }
      exit(0)
    }
  }

  @Test("a service that starts work of its own when it is made is no cycle later")
  func falseCycle() async throws {
    let services = Services()
    let found = AsyncStream<String>.makeStream()
    let gate = AsyncStream<Void>.makeStream()
    try services.provide((any Speaker).self, owner: .host, lifetime: .perCall) {
      Task {
        for await _ in gate.stream { break }
        do {
          _ = try await services.instance(of: (any Speaker).self)
          found.continuation.yield("found")
        } catch { found.continuation.yield("\(error)") }
      }
      return Quiet()
    }
    #expect(await services.resolve((any Speaker).self) != nil)
    // It is made and given out; nothing needs itself any more.
    gate.continuation.yield()
    for await result in found.stream {
      #expect(result == "found")
      break
    }
  }
}

private protocol Speaker: AnyObject, Sendable {}
private final class Quiet: Speaker {}

/// Who posts.
private final class Poster: @unchecked Sendable { var id = pthread_t() }
private let poster = Poster()

/// Keeps a token until the object that has it goes.
private final class TokenBox: @unchecked Sendable {
  private var token: ObservationToken?
  func keep(_ token: ObservationToken?) { self.token = token }
  func cancel() { token?.cancel() }
}
