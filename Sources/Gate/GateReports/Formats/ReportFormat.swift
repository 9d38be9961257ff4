public import ReleaseGate
public import SignetBase

/// A format in which a report is written.
///
/// Every format writes UTF-8 that ends in a newline. The same report gives the same bytes.
///
/// The names in a report are chosen by the maker of the release, and may be hostile. In every format but
/// ``JSONReport`` and ``ChecksumList``, which are exact, a character that does not show itself is written as
/// `\u{202e}`. Each format also escapes what has a meaning in it.
public protocol ReportFormat: Sendable {
  /// The word that chooses the format.
  static var name: String { get }

  /// Creates the format.
  init()

  /// Writes a report.
  ///
  /// - Throws: `json.number` for a size beyond 2^53-1; `gate.report-name` for a name that the format cannot hold;
  ///   `crypto.failure` if OpenSSL cannot be used.
  func text(of report: GateReport) throws(SignetError) -> [UInt8]
}
