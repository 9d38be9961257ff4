/// The middle and the ends of some numbers.
struct Spread {
  let median: Double
  let least: Double
  let greatest: Double

  /// - Parameter values: at least one.
  init(_ values: [Double]) {
    precondition(!values.isEmpty)
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    least = sorted[0]
    greatest = sorted[sorted.count - 1]
  }
}
