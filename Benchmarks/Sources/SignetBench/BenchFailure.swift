/// Why nothing could be measured.
struct BenchFailure: Error {
  let message: String
  let isUsage: Bool

  init(message: String, isUsage: Bool = false) {
    self.message = message
    self.isUsage = isUsage
  }
}
