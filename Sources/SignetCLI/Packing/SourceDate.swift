internal import Signet
internal import SignetBase
internal import SignetCrypto

/// The time that everything which is built shall have (reproducible-builds.org, SOURCE_DATE_EPOCH).
enum SourceDate {
  private static let name = "SOURCE_DATE_EPOCH"
  private static let digitLimit = 12

  /// The time; nil where none is set.
  ///
  /// - Throws: `packing.time`.
  static func time() throws(SignetError) -> UnixTime? {
    guard let text = ProcessEnvironment.value(name), !text.isEmpty else { return nil }
    let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, text.utf8.count <= digitLimit, let seconds = Int64(text) else {
      throw SignetError(
        .packingTime, name, "is no time", expected: "seconds since 1970 in decimal digits", found: text)
    }
    return UnixTime(seconds: seconds)
  }
}
