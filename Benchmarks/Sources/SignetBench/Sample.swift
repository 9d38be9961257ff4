/// What one run cost.
struct Sample {
  /// Seconds from start to end.
  let wall: Double
  /// Seconds of processor time, user and system, over all threads.
  let cpu: Double
  /// The most memory that was resident at once, in bytes; nil where it was not measured.
  let peak: Int?
}
