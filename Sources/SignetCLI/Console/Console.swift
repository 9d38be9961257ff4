internal import SignetCrypto

/// Where results and messages go: results to standard output, everything else to standard error.
struct Console {
  /// Nothing but errors.
  let isQuiet: Bool
  /// One JSON object instead of text.
  let isJSON: Bool

  private static let style = Style()

  /// Writes lines of a result, unless it was asked to be quiet.
  ///
  /// - Throws: `output.standard` when standard output cannot be written: then nobody has got the result.
  func result(_ lines: String...) throws(SignetError) { try result(lines) }

  /// Writes lines of a result, unless it was asked to be quiet.
  func result(_ lines: [String]) throws(SignetError) {
    if !isQuiet && !isJSON { try Self.output(lines.map { $0 + "\n" }.joined()) }
  }

  /// Writes the JSON document of a whole run.
  func document(_ text: String) throws(SignetError) { try Self.output(text + "\n") }

  /// Writes to standard output.
  static func output(_ text: String) throws(SignetError) {
    guard let failure = StandardStream.output.write(text) else { return }
    throw SignetError(.standardOutput, "standard output", "cannot be written", cause: failure)
  }

  /// Writes a note to standard error, unless it was asked to be quiet.
  func note(_ text: String) {
    if !isQuiet && !isJSON { Self.message(text) }
  }

  /// Writes about something that stops nothing, and that somebody should know of.
  func warn(_ error: SignetError) { note(Self.describe("warning", nil, error)) }

  /// Writes to standard error; when that fails there is nobody to tell.
  static func message(_ text: String) { _ = StandardStream.error.write(text + "\n") }

  /// Writes why something was refused or could not be done; this is said even when quiet.
  func complain(_ verdict: String, _ file: String?, _ error: SignetError) {
    if !isJSON { Self.message(Self.describe(verdict, file, error)) }
  }

  /// An error in lines: the first has verdict, file, code and message, the others what helps.
  static func describe(_ verdict: String, _ file: String?, _ error: SignetError) -> String {
    var subject = error.object.display
    if let file, file != error.object { subject = "\(file.display): \(subject)" }
    var lines = ["\(style.bad(verdict)): \(subject): \(error.message.display) [\(error.code)]"]
    if let expected = error.expected { lines.append("  expected  \(expected.display)") }
    if let found = error.found { lines.append("  found     \(found.display)") }
    for cause in causes(of: error) { lines.append("  cause     \(cause.display)") }
    if let hint = error.hint { lines.append("  next      \(hint.display)") }
    return lines.joined(separator: "\n")
  }

  /// The causes, outermost first, a line each.
  static func causes(of error: SignetError) -> [String] {
    var lines: [String] = []
    var next = error.cause
    while let cause = next {
      if let inner = cause as? SignetError {
        var line = "\(inner.object): \(inner.message) [\(inner.code)]"
        if let expected = inner.expected { line += "; expected \(expected)" }
        if let found = inner.found { line += "; found \(found)" }
        lines.append(line)
        next = inner.cause
      } else {
        lines.append("\(cause)")
        next = nil
      }
    }
    return lines
  }

  /// Words of verdicts in colour, where a person reads them and wants colour.
  static func good(_ word: String) -> String { style.good(word) }

  private struct Style {
    private let colours = !ProcessEnvironment.has("NO_COLOR")

    func good(_ word: String) -> String { paint(word, "32", .output) }
    func bad(_ word: String) -> String { paint(word, "31", .error) }

    private func paint(_ word: String, _ colour: String, _ stream: StandardStream) -> String {
      colours && stream.isTerminal ? "\u{1b}[\(colour)m\(word)\u{1b}[0m" : word
    }
  }
}

extension SignetError.Code {
  /// Standard output cannot be written.
  static let standardOutput = Self("output.standard")
}
