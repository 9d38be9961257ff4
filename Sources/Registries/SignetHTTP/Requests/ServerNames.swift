internal import SignetSystem

/// Where the names of servers have led, for all clients that share it: those of one command, for example.
///
/// Whoever owns a name can change its address between two requests (DNS rebinding). So a name that has led into a network
/// cannot lead to services of this machine later, whichever client asks.
public final class ServerNames: Sendable {
  /// Whether the address of the first answer was one of a network.
  private let areOfNetwork = Monitor<[String: Bool]>([:])

  /// Knows no name yet.
  public init() {}

  /// The first answer decides.
  func note(answerOf host: String, from address: NetworkAddress) {
    areOfNetwork.withLock { known in
      if known[host] == nil { known[host] = !address.isLocal }
    }
  }

  /// Whether a name has led into a network.
  func isOfNetwork(_ host: String) -> Bool { areOfNetwork.withLock { $0[host] ?? false } }
}
