/// The progress of a transfer. It is reported rarely, because a host keeps only some thousand events for an observer
/// that does not read.
package final class FetchProgress {
  /// The least step between two reports, in bytes and as a part of the whole. A bar can show no more than a hundred
  /// reports.
  private static let leastStep = 64 << 10
  private static let parts = 100
  /// The step between two reports if the whole is unknown: a thousand reports for the largest archive.
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
