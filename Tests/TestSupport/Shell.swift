import Foundation

/// Runs commands as a user types them, with the program that was built with these tests.
public enum Shell {
  /// Stands before every command. What others may write is refused, and a umask of 002 lets them.
  public static let preamble = "umask 022; "
  /// Seconds that no honest command takes, however busy the machine.
  private static let limit = 3600

  /// The program: the one that was built with these tests, unless SIGNET_PROGRAM names the one that is shipped, as `.ci/run` does.
  /// A release starts in half the time.
  public static let signet: String = {
    guard let given = ProcessInfo.processInfo.environment["SIGNET_PROGRAM"] else {
      return URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().path + "/signet"
    }
    // Commands find it by its name.
    let program = URL(fileURLWithPath: given)
    precondition(
      program.lastPathComponent == "signet" && FileManager.default.isExecutableFile(atPath: program.path),
      "SIGNET_PROGRAM is no program signet: \(given)")
    return program.path
  }()

  /// The folder of the program.
  public static let programs = URL(fileURLWithPath: signet).deletingLastPathComponent().path

  /// The variables that every command has.
  public static var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return ["PATH": programs + ":" + path, "KEYS": Repository.root + "/keys", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"]
  }

  /// Runs a command to its end, or to the limit's: its status is then not 0 and none that Signet has.
  public static func run(_ command: String, in folder: String) throws -> Program {
    try Program.run("/bin/bash", arguments(command), in: folder, environment: environment)
  }

  /// Runs a command that may take minutes, as a build does, and waits on a thread of its own.
  ///
  /// - Parameter variables: variables besides those that every command has.
  public static func runAside(
    _ command: String, in folder: String, variables: [String: String]
  ) async throws -> Program {
    try await FixtureBuilds.run(
      "/bin/bash", arguments(command), in: folder, environment: environment.merging(variables) { $1 })
  }

  private static func arguments(_ command: String) -> [String] {
    // Where there is no timeout(1), on macOS, Perl's alarm goes on to the program that takes its place.
    let bounded = """
      if command -v timeout > /dev/null; then exec timeout -k 5 \(limit) bash -c "$1"; fi
      exec perl -e 'alarm shift; exec @ARGV' \(limit) bash -c "$1"
      """
    return ["-c", bounded, "bash", preamble + command]
  }
}
