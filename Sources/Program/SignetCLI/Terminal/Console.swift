internal import Signet
package import SignetBase
internal import SignetCrypto

/// Where results and messages go: results to standard output, everything else to standard error.
package struct Console {
  /// Whether only errors are printed.
  package let isQuiet: Bool
  /// Whether one JSON object is printed instead of text.
  package let isJSON: Bool

  private static let style = Style()

  /// Writes lines of a result, unless the console is quiet.
  ///
  /// - Throws: `output.standard` if standard output cannot be written: then nobody has received the result.
  package func result(_ lines: String...) throws(SignetError) { try result(lines) }

  /// Writes lines of a result, unless the console is quiet.
  package func result(_ lines: [String]) throws(SignetError) {
    if !isQuiet && !isJSON { try Self.output(StandardStream.output.fitting(lines).map { $0 + "\n" }.joined()) }
  }

  /// Writes the JSON document of a whole run.
  package func document(_ text: String) throws(SignetError) { try Self.output(text + "\n") }

  /// Writes to standard output.
  package static func output(_ text: String) throws(SignetError) {
    guard let failure = StandardStream.output.write(text) else { return }
    throw SignetError(.standardOutput, "standard output", "cannot be written", cause: failure)
  }

  /// Writes a note to standard error, unless the console is quiet.
  package func note(_ text: String) {
    if !isQuiet && !isJSON { Self.message(text) }
  }

  /// Writes a warning about something that stops nothing, but that the user should know.
  package func warn(_ error: SignetError) { note(Self.describe("warning", nil, error)) }

  /// Writes to standard error. If that fails, there is no other place to report it.
  package static func message(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    _ = StandardStream.error.write(StandardStream.error.fitting(lines).map { $0 + "\n" }.joined())
  }

  /// Writes why something could not be done, even if the console is quiet.
  package func complain(_ file: String?, _ error: SignetError) {
    if !isJSON { Self.message(Self.describe("error", file, error)) }
  }

  /// Writes why something was refused, even if the console is quiet.
  package func refuse(_ file: String, _ reasons: [SignetError]) {
    if !isJSON { Self.message(Self.refusal(file, reasons).joined(separator: "\n")) }
  }

  /// An error in lines: the first has its kind, file, code and message; the others have what helps.
  static func describe(_ word: String, _ file: String?, _ error: SignetError) -> String {
    // A warning stops nothing, so a step is told only if the warning has one of its own.
    let next = word == "error" ? NextStep.after(error) : error.hint
    return (["\(style.bad(word)): \(sentence(file, error))"] + details(error, next: next)).joined(separator: "\n")
  }

  /// A refusal in lines: one reason is beside the verdict, several are below it.
  private static func refusal(_ file: String, _ reasons: [SignetError]) -> [String] {
    let verdict = "\(bad()) refused  "
    if reasons.count == 1 {
      return [verdict + sentence(file, reasons[0])] + details(reasons[0], next: NextStep.after(reasons[0]))
    }
    let isChanged = reasons.allSatisfy { $0.isDifference && !$0.object.isExactly(file) }
    let count = isChanged ? "is not what was signed: \(reasons.count) differences" : "for \(reasons.count) reasons"
    // Advice that helps against all of them, or against several differences, is given once.
    let hints = reasons.map(NextStep.after)
    let isSaidOnce = isChanged || Set(hints).count == 1
    let lines = reasons.flatMap { reason -> [String] in
      let step = isSaidOnce ? nil : NextStep.after(reason)
      return ([sentence(nil, reason)] + details(reason, next: step)).map { "  " + $0 }
    }
    var said: Set<String> = []
    let advice = isSaidOnce ? hints.compactMap(\.self).filter { said.insert($0).inserted } : []
    return ["\(verdict)\(file.display): \(count)"] + lines + advice.map { "  next      \($0.display)" }
  }

  private static func sentence(_ file: String?, _ error: SignetError) -> String {
    var subject = error.object.display
    // The name of something in a directory, or in a text, includes the directory's, or the file's.
    let isNamed = file.map { file in
      file == error.object || ["/", ":"].contains { error.object.utf8.starts(with: "\(file)\($0)".utf8) }
    }
    if let file, isNamed == false {
      subject = "\(file.display): \(subject)"
    }
    return "\(subject): \(error.message.display) [\(error.code)]"
  }

  private static func details(_ error: SignetError, next: String?) -> [String] {
    var lines: [String] = []
    if let expected = error.expected { lines.append("  expected  \(expected.display)") }
    if let found = error.found { lines.append("  found     \(found.display)") }
    for cause in causes(of: error) { lines.append("  cause     \(cause.display)") }
    if let next { lines.append("  next      \(next.display)") }
    return lines
  }

  /// The causes, outermost first, one a line.
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

  /// The mark before something that is verified or done, for standard output.
  package static func good() -> String { style.paint(Symbols.current.good, "32", .output) }

  /// The mark before something that is refused.
  package static func bad(_ stream: StandardStream = .error) -> String {
    style.paint(Symbols.current.bad, "31", stream)
  }

  /// The mark before something that is neither, for standard output.
  package static func caution() -> String { style.paint("!", "33", .output) }

  /// Colours text if a person reads it and wants colour.
  private struct Style {
    private let colours = !ProcessEnvironment.has("NO_COLOR") && ProcessEnvironment.value("TERM") != "dumb"

    func bad(_ word: String) -> String { paint(word, "31", .error) }

    func paint(_ word: String, _ colour: String, _ stream: StandardStream) -> String {
      colours && stream.isTerminal ? "\u{1b}[\(colour)m\(word)\u{1b}[0m" : word
    }
  }
}

extension SignetError {
  /// Whether it is one of the differences between a directory and what was signed.
  fileprivate var isDifference: Bool { Set.aboutDirectories.contains(code) || code == .digestMismatch }
}

extension SignetError.Code {
  /// Standard output cannot be written.
  package static let standardOutput = Self("output.standard", .failure)
}
