/// Numbers as a reader wants them.
enum Text {
  /// A number with so many decimal places.
  static func fixed(_ value: Double, _ places: Int) -> String {
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let number = Int((value * Double(scale)).rounded())
    guard places > 0 else { return "\(number)" }
    let fraction = "\(number % scale)"
    return "\(number / scale)." + String(repeating: "0", count: places - fraction.utf8.count) + fraction
  }

  /// A number with three digits or more.
  static func digits(_ value: Double) -> String { fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0) }

  /// A number of bytes in thousands, as networks count them.
  static func kilobytes(_ bytes: Int) -> String { "\(fixed(Double(bytes) / 1000, 1)) KB" }

  /// Seconds, in the unit that suits them.
  static func duration(_ seconds: Double) -> String {
    if seconds >= 1 { return "\(digits(seconds)) s" }
    return seconds >= 1e-3 ? "\(digits(seconds * 1e3)) ms" : "\(digits(seconds * 1e6)) µs"
  }

  /// Seconds: the median, and the least and the greatest.
  static func durations(_ spread: Spread) -> String {
    "\(duration(spread.median)) (\(duration(spread.least)) to \(duration(spread.greatest)))"
  }

  /// A ratio: the median, and the least and the greatest.
  static func ratios(_ spread: Spread) -> String {
    "\(fixed(spread.median, 2)) (\(fixed(spread.least, 2)) to \(fixed(spread.greatest, 2)))"
  }

  /// A count of bytes in the largest unit that divides it.
  static func size(_ bytes: Int) -> String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] where bytes.isMultiple(of: 1 << shift) && bytes > 0 {
      return "\(bytes >> shift) \(unit)"
    }
    return "\(bytes) bytes"
  }

  /// A count of bytes in MiB.
  static func mebibytes(_ bytes: Int) -> String { "\(fixed(Double(bytes) / 1_048_576, 1)) MiB" }
}
