internal import ReleaseGate
internal import SignetBase

/// A finding in words, without the file's name. All texts are cut where they are very long, and safe for a terminal.
struct FindingText {
  /// What is wrong, and where in the file.
  let headline: String
  /// What would have been right, what was found, and the error's code, each with its word.
  let evidence: [(word: String, text: String)]
  /// What to do next.
  let hint: String?
  /// The line in the file; nil if none is known.
  let lineNumber: Int?

  init(_ finding: GateReport.Finding) {
    let place = [finding.entry, finding.place].compactMap { $0?.display }.joined(separator: ", ")
    headline = place.isEmpty ? finding.message.display : "\(place): \(finding.message.display)"
    let evidence = [("expected", finding.expected), ("found", finding.found), ("code", finding.code)]
    self.evidence = evidence.compactMap { word, text in text.map { (word, $0.display) } }
    hint = finding.hint?.display
    // The line of an entry is not a line of the archive.
    lineNumber = finding.entry == nil ? finding.place.flatMap(Self.lineNumber) : nil
  }

  /// The finding in one line, without the hint.
  var line: String { ([headline] + evidence.map { "\($0.word) \($0.text)" }).joined(separator: "; ") }

  /// All but the headline, each in a line of its own.
  var details: [String] {
    evidence.map { "\($0.word): \($0.text)" } + [hint.map { "hint: \($0)" }].compactMap(\.self)
  }

  /// Reads a place such as `line 3` or `line 3, column 5`.
  private static func lineNumber(_ place: String) -> Int? {
    let word = Array("line ".utf8)
    let text = Array(place.utf8)
    guard text.starts(with: word) else { return nil }
    let digits = text.dropFirst(word.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let rest = text.dropFirst(word.count + digits.count)
    // GitHub reads 32 bits.
    guard rest.first ?? UInt8(ascii: ",") == UInt8(ascii: ","),
      let number = Int32(String(decoding: digits, as: UTF8.self)), number > 0
    else { return nil }
    return Int(number)
  }
}
