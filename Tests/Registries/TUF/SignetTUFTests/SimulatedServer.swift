import SignetBase
import SignetSystem

@testable import SignetTUF

/// A server in memory. It remembers what was asked for, and lies as it is told.
final class SimulatedServer: RepositorySource, Sendable {
  let name: String
  private let state = Monitor(State())

  private struct State {
    var files: [String: [UInt8]] = [:]
    var requests: [String] = []
    var faults: [String: SignetError] = [:]
    var endless: Set<String> = []
  }

  init(_ name: String = "server") { self.name = name }

  /// The paths that were asked for, in their order.
  var requests: [String] { state.withLock { $0.requests } }

  /// The paths that were asked for since this was asked the last time.
  func takeRequests() -> [String] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  subscript(path: String) -> [UInt8]? {
    get { state.withLock { $0.files[path] } }
    set { state.withLock { $0.files[path] = newValue } }
  }

  /// Answers a path with a fault of the transport.
  func fail(_ path: String, _ error: SignetError?) { state.withLock { $0.faults[path] = error } }

  /// Answers a path with bytes that do not end by themselves.
  func serveEndlessly(_ path: String) { _ = state.withLock { $0.endless.insert(path) } }

  func read(
    _ path: String, atMost limit: Int, _ receive: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    let (file, fault, isEndless) = state.withLock { state in
      state.requests.append(path)
      return (state.files[path], state.faults[path], state.endless.contains(path))
    }
    if let fault { throw fault }
    if isEndless {
      while true { try receive([UInt8](repeating: 0x20, count: 4096)) }
    }
    guard let file else { throw SignetError(.tufNotFound, path, "is not there") }
    // In pieces, as they come over a network.
    for start in stride(from: 0, to: file.count, by: 1000) {
      try receive(Array(file[start..<min(file.count, start + 1000)]))
    }
  }
}
