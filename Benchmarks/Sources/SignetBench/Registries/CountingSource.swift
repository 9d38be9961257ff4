internal import SignetBase
internal import SignetTUF
internal import Synchronization

/// A place of a repository in a directory, which counts what is asked of it.
final class CountingSource: RepositorySource {
  let name: String
  private let source: DirectorySource
  private let counts = Mutex((requests: 0, bytes: 0))

  init(_ path: String) throws {
    name = path
    source = try DirectorySource(path)
  }

  /// The requests and bytes since the last call.
  func take() -> (requests: Int, bytes: Int) {
    counts.withLock { counts in
      defer { counts = (0, 0) }
      return counts
    }
  }

  func read(
    _ path: String, atMost limit: Int, _ receive: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    counts.withLock { $0.requests += 1 }
    try source.read(path, atMost: limit) { (piece) throws(SignetError) in
      counts.withLock { $0.bytes += piece.count }
      try receive(piece)
    }
  }
}
