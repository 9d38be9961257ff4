import SignetBase
import SignetCrypto
import SignetSystem

@testable import PluginHost

/// What a host has told.
final class HostLog: Sendable {
  private let events = Monitor<[HostEvent]>([])

  init(_ host: PluginHost) { host.onEvent { [events] event in events.withLock { $0.append(event) } } }

  private func all<Value>(_ pick: (HostEvent) -> Value?) -> [Value] { events.withLock { $0.compactMap(pick) } }

  var fallbacks: [String] {
    all {
      if case .fallback(let module, let sequence, let newer) = $0 {
        "\(module) \(sequence) instead of \(newer)"
      } else {
        nil
      }
    }
  }
  /// What people are told.
  var sentences: [String] { all(\.sentence) }
  var notices: [SignetError.Code] { all { if case .notice(let error) = $0 { error.code } else { nil } } }
}
