#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Programs, run one at a time and measured by what the system says they used (wait4(2), getrusage(2)).
enum ChildProcess {
  /// Where the last program's output and messages are, in the working folder.
  private static let outputName = "output.txt"
  /// PATH; nil when there is none.
  static let searchPath = unsafe getenv("PATH").map { unsafe String(cString: $0) }
  /// All that programs get: what is in the user's environment must not decide a comparison.
  private static let environment = ["PATH=\(searchPath ?? "")", "HOME=.", "LC_ALL=C"]

  /// Runs a program to its end.
  ///
  /// Peak memory counts from before the program is loaded, when the child still is a copy of this process: small
  /// values are only known to be below this process's own size.
  ///
  /// - Throws: when it cannot be run, or ends otherwise than with status 0.
  static func run(_ command: Command) throws -> Sample {
    try Interruption.check()
    let start = Clock.now()
    let child = try spawn(command)
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(child, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw BenchFailure(system: "wait4", command.shown) }
    }
    let wall = Clock.now().wall - start.wall
    try Interruption.check()
    guard status == 0 else {
      let signal = status & 0x7f
      let end = signal == 0 ? "ended with status \(status >> 8 & 0xff)" : "was ended by signal \(signal)"
      throw BenchFailure(message: "\(command.shown): \(end)\n\(TextFile.content(of: outputName) ?? "")")
    }
    #if canImport(Darwin)
      let peak = Int(usage.ru_maxrss)
    #else
      let peak = Int(usage.ru_maxrss) << 10
    #endif
    return Sample(wall: wall, cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), peak: peak)
  }

  /// Runs a program for what it prints.
  static func output(_ command: Command) throws -> String {
    _ = try run(command)
    return TextFile.content(of: outputName) ?? ""
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  private static func spawn(_ command: Command) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, outputName, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var arguments = unsafe strings([command.program] + command.arguments)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var variables = unsafe strings(environment)
    defer { unsafe variables.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let failure = unsafe posix_spawnp(&child, command.program, &actions, nil, &arguments, &variables)
    guard failure == 0 else {
      errno = failure
      throw BenchFailure(system: "posix_spawn", command.program)
    }
    return child
  }

  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
  }
}
