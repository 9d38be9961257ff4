/// How long ago a release must have come before it is chosen: `12h`, `3d`, `2w`.
public struct MinimumAge: Hashable, Sendable, CustomStringConvertible {
  /// The text that it is read from.
  public let description: String
  /// The age in seconds.
  public let seconds: Int64

  /// What a text must be.
  public static let form = "a number and h, d or w, such as 3d"

  /// Reads a number from 1 to 999 and a unit: hours, days or weeks. Nil for anything else.
  public init?(_ text: String) {
    let units: [Character: Int64] = ["h": 3_600, "d": 86_400, "w": 604_800]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      (1...999).contains(number), text.dropLast().elementsEqual("\(number)")
    else { return nil }
    (description, seconds) = (text, number * unit)
  }
}
