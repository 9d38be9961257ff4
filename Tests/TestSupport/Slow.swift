import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// A test or suite that takes more than two seconds of a core: `make quick` leaves it out.
  public static var slow: Self { .enabled(if: !isQuick, "slow: make quick leaves it out") }

  /// A slow test that waits for minutes, and needs no core for that: it begins before all others.
  public static var waits: Self { slow }
}

/// `make quick` sets the variable.
private let isQuick = ProcessInfo.processInfo.environment["SIGNET_QUICK"] == "1"
