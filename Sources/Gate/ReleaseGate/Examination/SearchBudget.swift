internal import SignetArchive
package import SignetBase
internal import SignetNames

/// How much may be decompressed and listed to search one artifact. What is beyond it is not searched, and a finding says so.
package struct SearchBudget: Sendable {
  /// How many archives may be in one another below the artifact.
  package static let depth = 4
  /// How many times in a row a file may be compressed.
  package static let layers = 2
  /// How many times an artifact's own size all that is in it may have, with what is in archives within archives: as
  /// much as a module may expand.
  private static let ratio = 200
  /// The number of bytes that any artifact may expand to, if the release has few.
  private static let grace = 1 << 30
  /// The number of bytes that all artifacts together may expand to beyond the ratio. Each has an equal part of it, so
  /// that what is found depends on no order.
  private static let sharedGrace = 32 << 30
  /// The number of bytes that no artifact may exceed.
  private static let limit = 32 << 30
  /// The number of entries of all archives together.
  private static let entries = 1_000_000
  /// The number of bytes of all their names, and of where links lead, which are in memory: as much as those of all files
  /// of a release.
  private static let names = 32 << 20
  /// The number of entries of one archive.
  package static let entriesOfOne = 200_000

  /// The error for an archive with more entries than ``entriesOfOne``.
  static func tooManyEntries(_ path: String) -> SignetError {
    SignetError(
      .archiveEntryCount, path, "has too many entries to be searched", expected: "at most \(entriesOfOne)")
  }

  private var bytes: Int
  private var entries = Self.entries
  private var names = Self.names
  /// Whether something could not be looked at for want of budget.
  package private(set) var isSpent = false

  /// The budget for an artifact.
  ///
  /// - Parameters:
  ///   - size: the size of the artifact.
  ///   - count: how many files of the release are searched.
  package init(size: Int, among count: Int = 1) {
    let (product, overflow) = size.multipliedReportingOverflow(by: Self.ratio)
    let grace = min(Self.grace, Self.sharedGrace / max(count, 1))
    bytes = min(max(grace, overflow ? .max : product), Self.limit)
  }

  /// Counts decompressed bytes, before they are used.
  ///
  /// - Throws: `archive.ratio`.
  package mutating func spend(_ count: Int, _ path: String) throws(SignetError) {
    bytes -= count
    guard bytes >= 0 else {
      isSpent = true
      throw SignetError(
        .archiveRatio, path, "expands too much", expected: "at most \(Self.ratio) times the artifact's size in all",
        hint: "publish what is in it as artifacts of their own")
    }
  }

  /// Counts an entry whose texts are kept.
  ///
  /// - Parameters:
  ///   - size: the number of bytes of its name, and of where it leads if it is a link.
  ///   - path: the archive.
  /// - Throws: `archive.entry-count`.
  package mutating func spendEntry(_ size: Int, of path: String) throws(SignetError) {
    names -= size
    guard names >= 0 else {
      isSpent = true
      throw SignetError(
        .archiveEntryCount, path, "has too many long names to be searched, with those of archives in it",
        expected: "at most \(Self.names >> 20) MiB of names")
    }
    try spendEntry(path)
  }

  /// Counts an entry.
  ///
  /// - Throws: `archive.entry-count`.
  package mutating func spendEntry(_ path: String) throws(SignetError) {
    entries -= 1
    guard entries >= 0 else {
      isSpent = true
      throw SignetError(
        .archiveEntryCount, path, "has too many entries to be searched, with those of archives in it",
        expected: "at most \(Self.entries)")
    }
  }
}
