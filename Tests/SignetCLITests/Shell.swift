import TestSupport

/// Bash as the tests run it: new files get the usual permissions, whatever the user's umask is, and nothing runs
/// forever.
enum Shell {
  /// Stands before every command. What others may write is refused, and a umask of 002 lets them.
  static let preamble = "umask 022; "
  /// Seconds that no honest command takes, however busy the machine.
  private static let limit = 3600

  /// Runs a command to its end, or to the limit's: its status is then not 0 and none that Signet has.
  static func run(_ command: String, in folder: String) throws -> Program {
    // Where there is no timeout(1), on macOS, Perl's alarm goes on to the program that takes its place.
    let bounded = """
      if command -v timeout > /dev/null; then exec timeout -k 5 \(limit) bash -c "$1"; fi
      exec perl -e 'alarm shift; exec @ARGV' \(limit) bash -c "$1"
      """
    return try Program.run(
      "/bin/bash", ["-c", bounded, "bash", preamble + command], in: folder, environment: ScriptTests.environment)
  }
}
