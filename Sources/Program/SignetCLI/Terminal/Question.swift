package import SignetBase

extension SignetError.Code {
  /// A question to which the user gave no answer.
  static let questionUnanswered = Self("question.unanswered", .failure)
  /// The terminal cannot be asked.
  static let questionUnreadable = Self("question.unreadable", .failure)
}

/// A question to the user at a terminal.
package struct Question<Answer> {
  /// How often a question is asked before it counts as unanswered: nobody means a tenth wrong answer.
  private let attempts = 10

  /// What is asked, with the possible answers.
  let text: String
  /// The answer that an empty line gives, as it would be typed.
  let usual: String
  /// Makes an answer of a line; nil if the line is not an answer.
  let answer: (String) -> Answer?

  package init(text: String, usual: String, answer: @escaping (String) -> Answer?) {
    self.text = text
    self.usual = usual
    self.answer = answer
  }

  /// Asks until there is an answer.
  ///
  /// - Throws: `question.unanswered` at the end of input, and after ten wrong answers; `question.unreadable`.
  package func ask(_ terminal: borrowing Terminal) throws(SignetError) -> Answer {
    for _ in 0..<attempts {
      guard let line = try terminal.line("\(text) [\(usual)]: ") else { break }
      guard let typed = String(validating: line, as: UTF8.self) else { continue }
      let words = typed.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
      if let answer = answer(words.isEmpty ? usual : words) { return answer }
    }
    throw SignetError(
      .questionUnanswered, text, "has no answer", hint: "answer, or use the option; --help lists the options")
  }
}

/// Gets answers: those that options give, those of the user at a terminal, or what is usual.
package struct Questioner: ~Copyable {
  private let terminal: Terminal?

  /// - Parameter asks: whether the user may be asked. Nobody is asked where no person sits.
  package init(asks: Bool) { terminal = asks && Terminal.isAttended ? Terminal() : nil }

  /// The answer to a question.
  ///
  /// - Parameters:
  ///   - given: the answer that an option gives.
  ///   - usual: the answer if nobody can be asked.
  /// - Throws: what ``Question/ask(_:)`` throws.
  package func answer<Answer>(
    _ given: Answer?, _ usual: Answer, _ question: Question<Answer>
  ) throws(SignetError) -> Answer {
    if let given { return given }
    switch terminal {
    case .some(let terminal): return try question.ask(terminal)
    case .none: return usual
    }
  }
}

extension Question where Answer: RawRepresentable & CaseIterable, Answer.RawValue == String {
  /// A choice among all values of a type, or among some.
  package init(_ text: String, among choices: [Answer] = Array(Answer.allCases), usual: Answer) {
    self.init(text: "\(text) (\(choices.map(\.rawValue).joined(separator: ", ")))", usual: usual.rawValue) { line in
      choices.first { $0.rawValue.isExactly(line) }
    }
  }
}

extension Question<Bool> {
  /// A question that is answered by yes or no.
  package init(_ text: String, usual: Bool) {
    self.init(text: "\(text) (yes, no)", usual: usual ? "yes" : "no") { line in
      ["yes", "y"].contains { $0.isExactly(line) } ? true : ["no", "n"].contains { $0.isExactly(line) } ? false : nil
    }
  }
}
