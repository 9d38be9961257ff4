/// Numbers in words and digits, the same in every locale.
package enum Amount {
  private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// A number with a comma between thousands.
  package static func number(_ number: Int) -> String {
    let digits = Array("\(number.magnitude)")
    let head = digits.count % 3
    var groups = stride(from: head, to: digits.count, by: 3).map { String(digits[$0..<($0 + 3)]) }
    if head > 0 { groups.insert(String(digits[..<head]), at: 0) }
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
  }

  /// A number of things: `1 file`, `2,000 files`.
  package static func of(_ count: Int, _ one: String, _ several: String) -> String {
    "\(number(count)) \(word(count, one, several))"
  }

  /// The word that goes with a number, for a sentence in which they are apart.
  package static func word(_ count: Int, _ one: String, _ several: String) -> String { count == 1 ? one : several }

  /// A number of bytes in the largest unit that it reaches, with one decimal place.
  package static func bytes(_ count: Int) -> String {
    guard count >= 1024 else { return of(count, "byte", "bytes") }
    var power = 0
    while power + 1 < units.count, count >> (10 * (power + 2)) > 0 { power += 1 }
    let inLowerUnit = count >> (10 * power)
    return "\(number(inLowerUnit >> 10)).\(inLowerUnit % 1024 * 10 / 1024) \(units[power])"
  }
}
