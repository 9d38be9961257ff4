import Foundation
import TestSupport
import Testing

/// A command that is killed at each of its system calls that change files, in a folder that is made anew each time.
struct KilledCommand {
  let folder: TemporaryFolder
  private let command: String

  /// - Parameters:
  ///   - command: the arguments of `signet`.
  ///   - setup: makes what the command works on, in its folder.
  init(_ command: String, in setup: String) throws {
    folder = try TemporaryFolder()
    self.command = command
    try run("mkdir old && cd old && \(setup)")
  }

  private func run(_ command: String) throws {
    let run = try Shell.run(command, in: folder.path)
    try #require(run.status == 0, "\(command): \(run.output)\(run.errors)")
  }

  private func traced(_ options: [String]) throws -> Int32 {
    try run("rm -rf work && cp -a old work")
    return try Strace.run(
      options, [Shell.signet] + command.split(separator: " ").map(String.init), in: folder.file("work"),
      environment: Shell.environment
    ).status
  }

  /// The calls at which it is killed.
  private func points() throws -> [Strace.Call] {
    let log = folder.file("log")
    try #require(try traced(["-o", log, "-e", "trace=\(Strace.calls.joined(separator: ","))"]) == 0)
    return Strace.points(Strace.calls(in: String(decoding: try folder.read("log"), as: UTF8.self)))
  }

  /// Kills the command at each call, and looks at what is there then.
  ///
  /// - Parameters:
  ///   - least: how many such calls there must be.
  ///   - check: a script for the folder, which must end with 0.
  func check(least: Int, _ check: String) throws {
    let points = try points()
    #expect(points.count >= least)
    var killed = 0
    for point in points {
      let place: Comment = "\(command): \(point.name) \(point.number): \(point.text)"
      let inject = "inject=\(point.name):signal=KILL:when=\(point.number)"
      let status = try traced(["-o", "/dev/null", "-e", "trace=\(point.name)", "-e", inject])
      if status == 128 + SIGKILL { killed += 1 } else { #expect(status == 0, place) }
      let run = try Shell.run("set -e; cd work\n\(check)", in: folder.path)
      #expect(run.status == 0, "\(place)\n\(run.output)\(run.errors)")
    }
    #expect(killed > points.count / 2)
  }
}
