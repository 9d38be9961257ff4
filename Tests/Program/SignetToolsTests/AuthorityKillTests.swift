import Foundation
import TestSupport
import Testing

/// Commands of an authority, killed at each of their system calls that change files.
@Suite("an authority that is killed", .enabled(if: Strace.path != nil, Strace.absence)) struct AuthorityKillTests {
  /// A folder with an authority and a certificate, and what a command does there.
  private struct Work {
    let folder: TemporaryFolder
    let command: String

    init(_ command: String) throws {
      folder = try TemporaryFolder()
      self.command = command
      try run(
        """
        mkdir old && cd old && signet cert init-ca ca --subject Team --no-passphrase -q \
        && signet keygen --out a --no-passphrase -q && signet cert issue ca a.pub --subject A --out a.pem -q
        """)
    }

    func run(_ command: String) throws {
      let run = try Shell.run(command, in: folder.path)
      try #require(run.status == 0, "\(command): \(run.output)\(run.errors)")
    }

    func traced(_ options: [String]) throws -> Int32 {
      try run("rm -rf work && cp -a old work")
      return try Strace.run(
        options, [Shell.signet] + command.split(separator: " ").map(String.init), in: folder.file("work"),
        environment: Shell.environment
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
    "what was issued can be read afterwards, the command can be run again, and no certificate is there that the list lacks",
    arguments: [
      "cert issue ca a.pub --subject B --out b.pem -q", "cert renew ca a.pem --out b.pem -q",
      "cert revoke ca a.pem --reason key-compromise -q", "cert crl ca -q",
      "cert init-ca b --subject B --parent ca --no-passphrase -q",
    ])
  func killed(_ command: String) throws {
    let work = try Work(command)
    let points = try work.points()
    #expect(points.count >= 5)
    var killed = 0
    for point in points {
      let place: Comment = "\(command): \(point.name) \(point.number): \(point.text)"
      let inject = "inject=\(point.name):signal=KILL:when=\(point.number)"
      let status = try work.traced(["-o", "/dev/null", "-e", "trace=\(point.name)", "-e", inject])
      if status == 128 + SIGKILL { killed += 1 } else { #expect(status == 0, place) }
      // A certificate is whole, and its number is in the list.
      let check = try Shell.run(
        """
        set -e; cd work; signet cert show ca > shown
        for f in b.pem b/ca.pem; do
          if [ -e $f ]; then grep -q "$(openssl x509 -in $f -noout -serial | cut -d= -f2 | tr A-F a-f)" shown; fi
        done
        if [ -e ca/crl.pem ]; then openssl crl -in ca/crl.pem -noout; fi
        test ! -e b || signet cert show b > /dev/null
        rm -rf b b.pem; signet \(command); signet cert show ca > /dev/null
        """, in: work.folder.path)
      #expect(check.status == 0, "\(place)\n\(check.output)\(check.errors)")
    }
    #expect(killed > points.count / 2)
  }
}
