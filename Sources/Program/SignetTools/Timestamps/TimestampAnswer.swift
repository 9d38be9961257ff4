internal import SignetBase
internal import SignetCLI
internal import SignetProcesses

/// What this program does for `signet` while that signs: it sends a request to an authority of timestamps, and hands on the
/// answer, which it does not look into (RFC 3161, section 3.4).
struct TimestampAnswer {
  private let question: TimestampQuestion

  init(to question: TimestampQuestion) { self.question = question }

  /// Prints the answer in base64, or why there is none.
  ///
  /// - Returns: 0 if there is an answer, and 2 if not.
  func print() -> Int32 {
    ProcessEnvironment.prepare()
    do throws(SignetError) {
      try Console.output(Base64.encode(get()) + "\n")
      return ExitStatus.done.rawValue
    } catch {
      Console.message("\(error.message)\(error.found.map { ", \($0)" } ?? "") [\(error.code)]")
      return ExitStatus.failed.rawValue
    }
  }

  private func get() throws(SignetError) -> [UInt8] {
    try PostedRequest(
      question.request, of: "application/timestamp-query", for: "application/timestamp-reply",
      limit: TimestampQuestion.answerLimit
    ).answer(at: question.address)
  }
}
