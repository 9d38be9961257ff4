internal import Signet
package import SignetBase
internal import SignetCrypto

/// A run of a command: what it has done so far, and how it ends.
///
/// A command judges something, or makes it. What comes from others is judged, even if a command then changes something, as
/// `install` does: an error that is a refusal is its answer. A command that only makes something of what is the user's
/// own (`sign`, `pack`, `attach`, `new`) has no such answer: with any error, it was not done.
package struct CommandRun {
  package let console: Console
  private let isJudging: Bool
  /// What was done, and what could not be, for programs.
  private(set) var entries: [JSONValue] = []
  package private(set) var status = ExitStatus.done

  private init(_ console: Console, isJudging: Bool) { (self.console, self.isJudging) = (console, isJudging) }

  /// Runs a command that judges something.
  ///
  /// - Parameters:
  ///   - command: the command's name in the document for programs.
  ///   - subject: what the command is about, for errors that do not say it.
  ///   - body: does the work. What it has noted is reported, whatever it throws afterwards.
  /// - Throws: `output.standard`: then nobody has received the result.
  package static func judging(
    _ command: String, about subject: String, on console: Console,
    _ body: (inout CommandRun) throws(SignetError) -> Void
  ) throws(SignetError) -> ExitStatus {
    var run = CommandRun(console, isJudging: true)
    return try run.end(command, subject, body)
  }

  /// Runs a command that makes or changes something, like ``judging(_:about:on:_:)``.
  package static func making(
    _ command: String, about subject: String, on console: Console,
    _ body: (inout CommandRun) throws(SignetError) -> Void
  ) throws(SignetError) -> ExitStatus {
    var run = CommandRun(console, isJudging: false)
    return try run.end(command, subject, body)
  }

  private mutating func end(
    _ command: String, _ subject: String, _ body: (inout CommandRun) throws(SignetError) -> Void
  ) throws(SignetError) -> ExitStatus {
    do throws(SignetError) { try body(&self) } catch  where error.code != .standardOutput { ended(subject, error) }
    if console.isJSON { try console.document(Report.document(command, entries, status)) }
    return status
  }

  /// Notes something that was done.
  ///
  /// - Parameter lines: what people are told about it.
  /// - Throws: `output.standard`.
  package mutating func did(_ entry: JSONValue, _ lines: String...) throws(SignetError) {
    if !lines.isEmpty { try console.result(lines) }
    entries.append(entry)
  }

  /// Notes several things, of which people were told.
  package mutating func did(_ entries: [JSONValue]) { self.entries += entries }

  /// Notes something that was refused, of which people were told.
  package mutating func refused(_ entry: JSONValue) {
    entries.append(entry)
    status = .refused
  }

  /// Notes that something has ended with an error, and tells people.
  ///
  /// - Parameter entry: what programs are told, if it is more than the error.
  package mutating func ended(_ subject: String, _ error: SignetError, as entry: JSONValue? = nil) {
    guard isJudging else {
      console.complain(subject, error)
      return ended(error, as: entry ?? Report.ended(subject, [error], "error"))
    }
    console.tell(of: error, subject)
    ended(error, as: entry ?? Report.ended(subject, error))
  }

  /// Notes that something has ended with an error, of which people were told.
  package mutating func ended(_ error: SignetError, as entry: JSONValue) {
    entries.append(entry)
    status = status.combined(with: isJudging ? ExitStatus(error) : .failed)
  }

  /// Notes that something could not be done for several reasons, and tells people; nothing, if there are no reasons.
  package mutating func ended(_ subject: String, _ reasons: [SignetError]) {
    guard !reasons.isEmpty else { return }
    for reason in reasons { console.complain(subject, reason) }
    entries.append(Report.ended(subject, reasons, "error"))
    status = status.combined(with: .failed)
  }

  /// Notes that something is refused for several reasons, and tells people; nothing, if there are no reasons.
  package mutating func refused(_ subject: String, _ reasons: [SignetError]) {
    guard !reasons.isEmpty else { return }
    console.refuse(subject, reasons)
    refused(Report.ended(subject, reasons, "refused"))
  }

  /// Does a part of the work. Where it ends with an error, the run notes that, and goes on.
  ///
  /// - Throws: `output.standard`.
  package mutating func trying(_ subject: String, _ body: (inout CommandRun) throws(SignetError) -> Void)
    throws(SignetError)
  {
    do throws(SignetError) { try body(&self) } catch  where error.code != .standardOutput { ended(subject, error) }
  }
}

extension Console {
  /// Tells people that something was refused, or why it could not be done.
  package func tell(of error: SignetError, _ subject: String) {
    if error.nature == .refusal { refuse(subject, [error]) } else { complain(subject, error) }
  }
}
