import Foundation
import SignetBase
import SignetProcesses
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

  /// Waits until nobody has a named pipe open any longer.
  private static func waitForEnd(of pipe: String) throws {
    let descriptor = open(pipe, O_RDONLY | O_NONBLOCK)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) != 0 { usleep(10_000) }
  }

  @Test("a signal that ends this process is passed on, also to what a program has started", .timeLimit(.minutes(5)))
  func interruption() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let program = "exec 9<>\(pipe); sh -c 'sleep 100000 & echo up; wait' & wait"
    let child = ChildProgram("sh", ["-c", program], environment: ["PATH=/usr/bin:/bin"])
    // The inner one ends by it, too, and the outer one must not take that for the end of its work.
    for _ in 0..<20 {
      let ending = try child.run { _ in ChildProgram.interrupt(SIGTERM) }
      #expect(ending.status == 128 + SIGTERM)
      try Self.waitForEnd(of: pipe)
    }
  }

  @Test("a program that takes too long is killed, and so is what it has started", .timeLimit(.minutes(5)))
  func patience() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    // The inner one would hold the outer one's output open, too, and each has the pipe.
    let program = "exec 9<>\(pipe); sh -c 'sleep 100000 & sleep 100000' & echo up; sleep 100000"
    for isRead in [true, false] {
      var output: [UInt8] = []
      let child = ChildProgram(
        "sh", ["-c", program], environment: ["PATH=/usr/bin:/bin"], patience: isRead ? 1000 : nil)
      if isRead {
        let ending = try child.run { output += $0 }
        #expect(ending.wasTooSlow && ending.status == 128 + 9)
        #expect(try child.run(keeping: 100).wasTooSlow)
      } else {
        // The reader has enough.
        expectError(.fileChanged) {
          _ = try child.run { (_) throws(SignetError) in throw SignetError(.fileChanged, "reader", "has enough") }
        }
      }
      try Self.waitForEnd(of: pipe)
    }
    let quick = try ChildProgram("true", [], environment: ["PATH=/usr/bin:/bin"], patience: 600_000).run { _ in }
    #expect(quick.status == 0 && !quick.wasTooSlow)
  }

  private func run(
    _ arguments: [String], variables: [String: String] = ["PATH": "/usr/bin:/bin"], input: [UInt8] = [],
    limit: Int = 1 << 20
  ) throws -> ChildProgram.Result {
    try ChildProgram(
      arguments[0], Array(arguments.dropFirst()), environment: variables.map { "\($0.key)=\($0.value)" },
      input: .bytes(input)
    ).run(keeping: limit)
  }

  @Test("a program gets its arguments and input as they are, and its output and status come back")
  func whole() throws {
    let input = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try run(["cat"], input: input).output == input)
    let told = try run(["sh", "-c", #"printf '%s|' "$@"; echo bad >&2; exit 7"#, "sh", "a b", "$(x)", "-c"])
    #expect(told.output == Array("a b|$(x)|-c|".utf8))
    #expect(told.lastWords == "bad\n" && told.status == 7 && !told.wasTooLong)
    #expect(try run(["sh", "-c", "kill -TERM $$"]).status == 128 + 15)
  }

  @Test("it has the variables that it is given, and no other, and no descriptor of this process")
  func surroundings() throws {
    let told = try run(["env"], variables: ["ONE": "1 2", "PATH": "/usr/bin:/bin"])
    #expect(
      Set(told.output.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }) == [
        "ONE=1 2", "PATH=/usr/bin:/bin",
      ])
    // One that any other program would get.
    let number = open("/etc/passwd", O_RDONLY)
    defer { close(number) }
    let links = try run(["sh", "-c", "readlink /proc/$$/fd/*"])
    #expect(!String(decoding: links.output, as: UTF8.self).contains("/etc/passwd") && !links.output.isEmpty)
    #expect(try run(["cat"]).output.isEmpty)
  }

  @Test("one that writes more than allowed is ended, and much on standard error stops nothing")
  func bounds() throws {
    let endless = try run(["sh", "-c", "while :; do echo yes; done"], limit: 1000)
    #expect(endless.wasTooLong && endless.output.count <= 1000 && endless.status == 128 + 9)
    #expect(try run(["printf", "1234"], limit: 4).wasTooLong == false)
    let loud = try run(["sh", "-c", "head -c 1000000 /dev/zero >&2; echo done"])
    #expect(loud.output == Array("done\n".utf8) && loud.lastWords.utf8.count == 4096)
  }
}
