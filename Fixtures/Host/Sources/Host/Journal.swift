import PluginHost

/// What has happened, as a screen would show it.
@MainActor final class Journal {
  private var lines: [String] = []

  /// Listens for as long as the host lives.
  init(_ events: AsyncStream<HostEvent>) {
    Task {
      for await event in events { lines.append(contentsOf: Self.line(event)) }
    }
  }

  /// Lets everything be noted that has happened by now: the listener waits in the same line.
  func catchUp() async { for _ in 0..<8 { await Task.yield() } }

  /// What has happened since this was asked last.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  private static func line(_ event: HostEvent) -> [String] {
    switch event {
    case .status(let module, let status, let previous): ["\(module): \(previous) -> \(status)"]
    case .update(let module, let sequence): ["\(module): release \(sequence) is installed, and another in use"]
    case .refused(let refused):
      ["\(refused.identifier.map { "\($0)" } ?? "somebody"): refused [\(refused.reason.code)]"]
    case .images(let images): images.map { "\($0.module): \($0.path) is in the process" }
    case .notice(let error): ["notice: \(error)"]
    default: []
    }
  }
}
