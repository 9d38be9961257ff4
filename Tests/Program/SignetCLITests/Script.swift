import Foundation
import SignetBase

/// A test of the command line, as a text to be read:
///
///     $ COMMAND        run by bash in a folder of the script's own, with umask 022
///     @ COMMAND        the same, in a terminal of its own: what it shows is its output
///     see TEXT         wait until the terminal shows this
///     type TEXT        type this and Enter;  press ^C  (or ^D, ^Z) types the control character
///     exit N           how it must end; 0 unless said, and otherwise with what it prints
///     out TEXT         standard output contains this (\e is escape, \r carriage return);  out- TEXT  does not
///     out NUMBER       a line of standard output is this number
///     ends TEXT        standard output ends so
///     err TEXT         standard error contains this;  err- TEXT  does not
///     silent           nothing on standard output;  still  nothing on standard error
///     files NAME …     exactly these are in the folder
///     # …              for the reader
struct Script {
  struct Step {
    let line: Int
    let command: String
    let isInTerminal: Bool
    var expectations: [Expectation] = []
    var dialogue: [(word: String, text: String)] = []
  }

  struct Expectation {
    let line: Int
    let word: String
    let text: String

    /// Whether a number is expected, of which a part would be another one.
    var isNumber: Bool { !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber } }
    /// Whether it tells one failure from another.
    var isReason: Bool { ["out", "ends", "err", "silent", "still", "files"].contains(word) }
  }

  let name: String
  let steps: [Step]

  init(name: String, text: String) throws {
    self.name = name
    var steps: [Step] = []
    for (number, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let (word, rest) = (parts[0], parts.count > 1 ? parts[1] : "")
      if word == "$" || word == "@" {
        steps.append(Step(line: number + 1, command: rest, isInTerminal: word == "@"))
        continue
      }
      guard !steps.isEmpty else { throw Fault(name: name, line: number + 1, word: word) }
      let last = steps.count - 1
      switch word {
      case "see", "type", "press": steps[last].dialogue.append((word, rest))
      case "exit", "out", "out-", "ends", "err", "err-", "silent", "still", "files":
        steps[last].expectations.append(Expectation(line: number + 1, word: word, text: rest))
      default: throw Fault(name: name, line: number + 1, word: word)
      }
    }
    self.steps = steps
    // A command can fail in many ways, and the test means one of them.
    for step in steps where step.expectations.contains(where: { $0.word == "exit" && $0.text != "0" }) {
      guard step.expectations.contains(where: \.isReason) || !step.dialogue.isEmpty else {
        throw Fault(name: name, line: step.line, word: "exit without a reason")
      }
    }
  }

  struct Fault: Error {
    let name: String
    let line: Int
    let word: String
  }
}
