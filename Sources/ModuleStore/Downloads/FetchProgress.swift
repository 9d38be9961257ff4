/// Tells how far a transfer is. It tells it seldom: a host keeps only some thousand events for an observer that does not read.
package final class FetchProgress {
  /// Bytes between two messages at least, and what of the whole: a hundred messages are as many as a bar can show.
  private static let leastStep = 64 << 10
  private static let parts = 100
  /// Bytes between two messages where the whole is unknown: a thousand messages for the largest archive.
  private static let unknownStep = 1 << 20

  private let told: (Int, Int?) -> Void
  private var last: (received: Int, whole: Int?)?

  package init(_ told: @escaping (Int, Int?) -> Void) { self.told = told }

  package func tell(_ received: Int, of whole: Int?, isLast: Bool) {
    let step = whole.map { max(Self.leastStep, $0 / Self.parts) } ?? Self.unknownStep
    if let last {
      if isLast {
        guard last.received != received || last.whole != whole else { return }
      } else if received >= last.received {
        guard received - last.received >= step else { return }
      }
    }
    last = (received, whole)
    told(received, whole)
  }
}
