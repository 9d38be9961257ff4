import SignetBase
import SignetSystem
import TestSupport
import Testing

@Suite struct ChildProgramTests {
  @Test("a program gets what it is told, and nothing else: no shell, no signals, no variables")
  func programs() throws {
    var output: [UInt8] = []
    let arguments = ["%s|", "a b", "$HOME", ";touch x", "*"]
    var ending = try ChildProgram("printf", arguments, environment: []).run { output += $0 }
    #expect(ending.status == 0 && output == Array("a b|$HOME|;touch x|*|".utf8))
    output = []
    ending = try ChildProgram("sh", ["-c", "env; echo no >&2; kill -9 $$"], environment: ["A=1"]).run { output += $0 }
    #expect(ending.status == 128 + 9 && ending.lastWords == "no\n")
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("A=1") && !lines.contains { $0.hasPrefix("HOME=") })
    // Both pipes are emptied, however much is written to one of them first.
    var count = 0
    ending = try ChildProgram("sh", ["-c", "yes | head -c 1000000 >&2; yes | head -c 1000000"], environment: [])
      .run { count += $0.count }
    #expect(count == 1_000_000 && ending.lastWords.utf8.count == 4096)
    expectError(.fileUnreadable) { _ = try ChildProgram("signet-no-such-program", [], environment: []).run { _ in } }
    // A reader that has enough ends the program.
    expectError(.fileChanged) {
      _ = try ChildProgram("yes", [], environment: []).run { (_) throws(SignetError) in
        throw SignetError(.fileChanged, "reader", "has enough")
      }
    }
  }
}
