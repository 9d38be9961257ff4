import Foundation
import TestSupport
import Testing

/// Stamping, killed at each of its system calls that change files.
@Suite("stamping that is killed", .enabled(if: Strace.path != nil, Strace.absence)) struct StampKillTests {
  /// A folder with signed things, an authority of timestamps on this machine, and what a command does there.
  private final class Work {
    let folder: TemporaryFolder
    private let command: [String]

    init(_ command: String) throws {
      folder = try TemporaryFolder()
      let port = try Self.run(
        """
        (exec python3 "$KEYS/../Tests/Program/SignetCLITests/Mirrors/authority.py" clock port > /dev/null 2>&1 &
        echo $! > pid)
        signet keygen --out k --no-passphrase -q && mkdir old m && cp k k.pub old && cd old
        echo tool > tool && signet sign tool --key k -q && echo fresh > fresh
        echo '{"identifier": "com.example.stamped", "version": "1.0.0", "sequence": 1}' > ../m/module.json
        signet pack ../m --out m.zip -q && signet sign m.zip --key k --attach -q && cd ..
        for i in $(seq 600); do test -s port && break; sleep 0.1; done && cat port
        """, in: folder)
      self.command =
        command.split(separator: " ").map(String.init) + ["--timestamp-url", "http://127.0.0.1:\(port)/good"]
    }

    deinit { _ = try? Shell.run("kill $(cat pid)", in: folder.path) }

    var line: String { (["signet"] + command).joined(separator: " ") }

    @discardableResult static func run(_ command: String, in folder: TemporaryFolder) throws -> String {
      let run = try Shell.run("set -e\n\(command)", in: folder.path)
      try #require(run.status == 0, "\(command): \(run.output)\(run.errors)")
      return run.output
    }

    func traced(_ options: [String]) throws -> Int32 {
      try Self.run("rm -rf work && cp -a old work", in: folder)
      return try Strace.run(
        options, [Shell.signet] + command, in: folder.file("work"), environment: Shell.environment
      ).status
    }

    /// The calls at which it is killed.
    func points() throws -> [Strace.Call] {
      let log = folder.file("log")
      try #require(try traced(["-o", log, "-e", "trace=\(Strace.calls.joined(separator: ","))"]) == 0)
      return Strace.points(Strace.calls(in: String(decoding: try folder.read("log"), as: UTF8.self)))
    }
  }

  @Test(
    "what was signed is verified afterwards, nothing new is there without a timestamp, and the command can be run again",
    arguments: [
      ("timestamp tool", "tool"), ("timestamp m.zip", "m.zip"), ("sign fresh --key k", "fresh"),
      ("sign m.zip --key k --attach", "m.zip"),
    ])
  func killed(_ command: String, _ file: String) throws {
    let work = try Work(command)
    let points = try work.points()
    #expect(points.count >= 3)
    var killed = 0
    for point in points {
      let place: Comment = "\(command): \(point.name) \(point.number): \(point.text)"
      let inject = "inject=\(point.name):signal=KILL:when=\(point.number)"
      // If the program that asks the authority is killed as well, or alone, nothing is stamped.
      let status = try work.traced(["-o", "/dev/null", "-e", "trace=\(point.name)", "-e", inject])
      if status == 128 + SIGKILL { killed += 1 }
      let check = try Shell.run(
        """
        set -e; cd work
        signet verify tool --key k.pub -q && signet verify m.zip --key k.pub --module com.example.stamped -q
        if [ -e fresh.sigstore.json ]; then
          signet verify fresh --key k.pub -q && signet inspect fresh | grep -q 'timestamps  *1'
        fi
        \(work.line) -q && signet verify \(file) --key k.pub -q && signet inspect \(file) | grep 'timestamps  *1'
        """, in: work.folder.path)
      #expect(check.status == 0, "\(place)\n\(check.output)\(check.errors)")
    }
    #expect(killed > points.count / 2)
  }
}
