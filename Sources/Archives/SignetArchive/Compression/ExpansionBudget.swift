internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The number of bytes that compressed data may still expand to.
struct ExpansionBudget {
  private let path: String
  private let storedSize: Int
  private let limits: ArchiveLimits
  private let ratioLimit: Int
  private var used = 0

  init(_ source: any ByteSource, _ limits: ArchiveLimits) {
    path = source.path
    storedSize = source.size
    self.limits = limits
    let (product, overflow) = source.size.multipliedReportingOverflow(by: limits.ratio)
    ratioLimit = max(overflow ? .max : product, limits.ratioGrace)
  }

  /// Counts decompressed bytes, before they are passed on.
  ///
  /// - Throws: `archive.ratio`, `archive.size`.
  mutating func spend(_ count: Int) throws(SignetError) {
    used += count
    guard used <= ratioLimit else {
      throw SignetError(
        .archiveRatio, path, "expands too much",
        expected: "at most \(limits.ratio) times its \(storedSize) bytes", found: "\(used) bytes and more")
    }
    guard used <= limits.totalSize else {
      throw SignetError(
        .archiveSize, path, "is too large when decompressed", expected: "at most \(limits.totalSize) bytes in all",
        found: "\(used) bytes and more")
    }
  }
}
