import Foundation
import Testing

/// The strace program: it says what a child asks of the system, ends it at any such point, or has any of it fail.
public enum Strace {
  /// Where it is; nil where there is none, or where processes may not be traced.
  public static let path: String? = {
    guard let path = Program.find("strace"), (try? Program.run(path, ["-f", "-o", "/dev/null", "true"]))?.status == 0
    else { return nil }
    return path
  }()

  /// Runs a program under it, with all its children. The leak sanitizer, if it is in the program, cannot work there.
  ///
  /// - Parameters:
  ///   - options: what to look at, and what to do at it.
  ///   - command: the program and its arguments.
  public static func run(
    _ options: [String], _ command: [String], in folder: String? = nil, environment: [String: String] = [:]
  ) throws -> Program {
    try Program.run(
      try #require(path), ["-f", "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0"] + options + command, in: folder,
      environment: environment)
  }

  /// What is said where it cannot be used.
  public static let absence: Comment =
    "there is no strace here that may trace processes: nothing was shown about kills and failures"

  /// System calls that change something on a disk, or decide where a change goes.
  public static let calls = [
    "openat", "write", "pwrite64", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "link", "linkat", "fsync",
    "fdatasync", "syncfs", "fchmod", "ftruncate", "unlink", "unlinkat", "symlinkat", "fcntl",
  ]

  /// One system call of a log, without the number of its process.
  public struct Call {
    /// The call.
    public let name: String
    /// The whole line.
    public let text: String
    /// The how-manieth of its name it is.
    public let number: Int

    /// Whether it gives a name, takes one away, or makes that last: what is half done shows before and after it.
    var changesNames: Bool {
      ["rename", "link", "unlink"].contains { name.hasPrefix($0) } || name.contains("sync")
    }
  }

  /// The calls at which a program is interrupted: in a night all, else all that change names, and one of eight of the others.
  public static func points(_ calls: some Sequence<Call>) -> [Call] {
    Extent.sample(of: Array(calls), oneOf: 8) { $0.changesNames }
  }

  /// The calls of the first process of a log, in order. The program does all that matters here in one thread.
  public static func calls(in log: String) -> [Call] {
    var counts: [String: Int] = [:]
    var calls: [Call] = []
    var process: Substring?
    for line in log.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      process = process ?? parts.first
      guard parts.count == 2, parts[0] == process, let end = parts[1].firstIndex(of: "(") else { continue }
      let name = String(parts[1].drop { $0 == " " }[..<end])
      guard !name.contains(" ") else { continue }
      counts[name, default: 0] += 1
      calls.append(Call(name: name, text: String(parts[1]), number: counts[name, default: 0]))
    }
    return calls
  }
}
