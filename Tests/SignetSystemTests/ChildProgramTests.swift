import SignetBase
import Testing

@testable import SignetSystem

@Suite struct ChildProgramTests {
  private func run(
    _ arguments: [String], variables: [String: String] = ["PATH": "/usr/bin:/bin"], input: [UInt8] = [],
    limit: Int = 1 << 20
  ) throws -> ChildProgram.Result {
    try ChildProgram.run(arguments[0], Array(arguments.dropFirst()), variables: variables, input: input, limit: limit)
  }

  @Test("a program gets its arguments and input as they are, and its output and status come back")
  func whole() throws {
    let input = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try run(["cat"], input: input).output == input)
    let told = try run(["sh", "-c", #"printf '%s|' "$@"; echo bad >&2; exit 7"#, "sh", "a b", "$(x)", "-c"])
    #expect(told.output == Array("a b|$(x)|-c|".utf8))
    #expect(told.errors == Array("bad\n".utf8) && told.status == 7 && !told.wasTooLong)
    #expect(try run(["sh", "-c", "kill -TERM $$"]).status == 128 + 15)
  }

  @Test("it has the variables that it is given, and no other, and no descriptor of this process")
  func surroundings() throws {
    let told = try run(["env"], variables: ["ONE": "1 2", "PATH": "/usr/bin:/bin"])
    #expect(
      Set(told.output.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }) == [
        "ONE=1 2", "PATH=/usr/bin:/bin",
      ])
    let open = try RegularFile(opening: "/etc/passwd")
    let links = try run(["sh", "-c", "readlink /proc/$$/fd/*"])
    withExtendedLifetime(open) {}
    #expect(!String(decoding: links.output, as: UTF8.self).contains("/etc/passwd") && !links.output.isEmpty)
    #expect(try run(["cat"]).output.isEmpty)
  }

  @Test("one that writes more than allowed is ended, and much on standard error stops nothing")
  func bounds() throws {
    let endless = try run(["sh", "-c", "while :; do echo yes; done"], limit: 1000)
    #expect(endless.wasTooLong && endless.output.count <= 1000 && endless.status == 128 + 9)
    #expect(try run(["printf", "1234"], limit: 4).wasTooLong == false)
    let loud = try run(["sh", "-c", "head -c 1000000 /dev/zero >&2; echo done"])
    #expect(loud.output == Array("done\n".utf8) && loud.errors.count == 1 << 14)
  }

  @Test("one that is not there is a failure")
  func missing() {
    #expect { try run(["no-such-program-of-anybody"]) } throws: { ($0 as? SystemFailure)?.isMissing == true }
  }
}
