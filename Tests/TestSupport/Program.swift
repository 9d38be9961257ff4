import Foundation

/// Runs programs and keeps what they write. Output goes to files, so that no full pipe can block a child.
public struct Program: Sendable {
  /// The exit status, or 128 and the signal's number.
  public let status: Int32
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errors: String

  /// What a program did that was run in another way.
  public init(status: Int32, output: String, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// Runs a program to its end.
  @discardableResult
  public static func run(
    _ path: String, _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:],
    input: [UInt8] = []
  ) throws -> Program {
    let scratch = try TemporaryFolder()
    let process = try ChildProcess(
      path, arguments, in: folder, environment: environment, input: try scratch.write("in", input),
      output: try scratch.write("out", []), errors: try scratch.write("err", []))
    return Program(
      status: process.wait(), output: String(decoding: try scratch.read("out"), as: UTF8.self),
      errors: String(decoding: try scratch.read("err"), as: UTF8.self))
  }

  /// Where a program is installed; nil when it is not.
  public static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
