import Foundation
import TestSupport
import Testing

/// A program that changes files, which a test ends or makes fail at each of its system calls.
protocol InterruptedProgram: AnyObject {
  /// The name of the program, which is built beside the tests.
  static var name: String { get }
  /// The arguments.
  var arguments: [String] { get }
  /// The path of a file for the calls that were seen.
  var log: String { get }
  /// What the program changes.
  var changed: String { get }
  /// A copy of that from before.
  var template: String { get }
  /// Checks that what the program leaves is whole, and that the next run brings it to its end.
  func check(_ place: Comment) throws
}

extension InterruptedProgram {
  /// The path of the program.
  static var program: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
      + "/\(name)"
  }

  /// Undoes what the program has changed.
  func restore() throws {
    try? FileManager.default.removeItem(atPath: changed)
    try FileManager.default.copyItem(atPath: template, toPath: changed)
  }

  /// Ends the program before each call that changes something.
  ///
  /// - Parameter least: the number of calls that it has at least, so that the test looks at something.
  func killEverywhere(least: Int) throws {
    let calls = try calls()
    #expect(calls.count >= least)
    for point in Strace.points(calls) {
      let run = try run(at: point, "signal=KILL")
      let place: Comment = "killed before \(point.name) \(point.number): \(point.text)"
      #expect(run.status == 128 + SIGKILL, place)
      try check(place)
    }
  }

  /// Makes each call of some kinds fail.
  func failEverywhere(_ error: String, at names: [String]) throws {
    let points = try calls().filter { names.contains($0.name) }
    #expect(!points.isEmpty)
    for point in Strace.points(points) {
      let run = try run(at: point, "error=\(error)")
      let place: Comment = "\(error) at \(point.name) \(point.number): \(point.text)"
      // A call of the runtime's own start may fail without harm; the program never ends otherwise.
      #expect(run.status <= 1 || point.name == "openat", "\(place): \(run.output)\(run.errors)")
      try check(place)
    }
  }

  private func run(at point: Strace.Call, _ fault: String) throws -> Program {
    try restore()
    return try run([
      "-o", "/dev/null", "-e", "trace=\(point.name)", "-e", "inject=\(point.name):\(fault):when=\(point.number)",
    ])
  }

  private func run(_ strace: [String]) throws -> Program {
    try Strace.run(strace, [Self.program] + arguments)
  }

  /// The calls of a whole run that change something.
  private func calls() throws -> [Strace.Call] {
    let run = try run(["-o", log, "-e", "trace=" + Strace.calls.joined(separator: ",")])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let calls = Strace.calls(in: try String(contentsOfFile: log, encoding: .utf8))
    try restore()
    return calls
  }
}
