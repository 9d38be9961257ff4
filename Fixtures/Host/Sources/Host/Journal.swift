import PluginHost
import Synchronization

/// What has happened, as a screen would show it.
final class Journal: Sendable {
  private let lines = Mutex<[String]>([])

  /// Notes what a host tells, as it happens.
  func listen(to host: PluginHost) {
    host.onEvent { [self] event in lines.withLock { $0.append(contentsOf: Self.line(event)) } }
  }

  /// What has happened since this was asked last.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  private static func line(_ event: HostEvent) -> [String] {
    switch event {
    case .status(let module, let status, let previous): ["\(module): \(previous) -> \(status)"]
    case .update(let module, let sequence): ["\(module): release \(sequence) is installed, and another in use"]
    case .refused(let refused):
      ["\(refused.identifier.map { "\($0)" } ?? "somebody"): refused [\(refused.reason.code)]"]
    case .images(let images): images.map { "\($0.module): \($0.path) is in the process" }
    case .fallback(let module, let sequence, let newer):
      ["\(module): release \(sequence) instead of \(newer), which crashes"]
    case .notice(let error): ["notice: \(error)"]
    default: []
    }
  }
}
