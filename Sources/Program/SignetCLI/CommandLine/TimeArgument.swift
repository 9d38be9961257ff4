package import SignetBase

/// Times on the command line: an instant, `2027-01-31T00:00:00Z`, or a whole day in UTC, `2027-01-31`.
package enum TimeArgument {
  /// The time from which something holds: for a day, its first second.
  package static func start(_ text: String) -> UnixTime? { UnixTime(text) ?? UnixTime(text + "T00:00:00Z") }

  /// The time until which something holds: for a day, its last second, so that it holds on all of that day.
  package static func end(_ text: String) -> UnixTime? { UnixTime(text) ?? UnixTime(text + "T23:59:59Z") }

  /// The form of such an argument, for usage errors.
  package static let form = "a time in UTC such as 2027-01-31T00:00:00Z, or a day such as 2027-01-31"
}
