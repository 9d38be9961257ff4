import Testing

/// A text that a test is given as an argument. The name of the test's case has its beginning alone, since some have a million
/// characters.
public struct LongText: CustomTestStringConvertible, Sendable {
  /// Bytes of a text that are told.
  private static let shown = 60

  /// All of it.
  public let text: String

  /// Takes a text as it is.
  public init(_ text: String) { self.text = text }

  /// Its beginning.
  public var testDescription: String {
    let count = text.utf8.count
    guard count > Self.shown else { return text.debugDescription }
    return "\(String(text.prefix(Self.shown)).debugDescription)… of \(count) bytes"
  }
}
