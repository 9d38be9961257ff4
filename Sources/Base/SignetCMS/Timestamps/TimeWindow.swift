package import SignetBase

/// A time from which something counts and a time until which it does, both included; nil for no limit.
package struct TimeWindow: Sendable, Hashable, CustomStringConvertible {
  package let from: UnixTime?
  package let until: UnixTime?

  package init(from: UnixTime? = nil, until: UnixTime? = nil) { (self.from, self.until) = (from, until) }

  /// Whether it includes a time.
  package func contains(_ time: UnixTime) -> Bool {
    (from.map { $0 <= time } ?? true) && (until.map { time <= $0 } ?? true)
  }

  /// The times in words.
  package var description: String {
    switch (from, until) {
    case (nil, nil): "at any time"
    case (let from?, nil): "from \(from) on"
    case (nil, let until?): "until \(until)"
    case (let from?, let until?): "from \(from) to \(until)"
    }
  }
}
