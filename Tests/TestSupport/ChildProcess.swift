import Foundation

/// A process that is waited for by its number: Foundation's misses the end of some when threads of their own wait, and then
/// waits for good.
struct ChildProcess {
  private var identifier = pid_t()

  /// Starts a program that reads from and writes to files.
  init(
    _ path: String, _ arguments: [String], in folder: String?, environment: [String: String], input: String,
    output: String, errors: String
  ) throws {
    // The folder is the child's before the program is looked for.
    let path = URL(fileURLWithPath: path).path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY, 0)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tests' own descriptors are not for the child, nor are signals that they block.
    var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let variables =
      ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in variables + words { free(pointer) } }
    let failure = posix_spawn(&identifier, path, &actions, &attributes, words, variables)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
  }

  /// Waits for the end and gives the exit status, or 128 and the signal's number.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }
}

extension ChildProcess {
  /// Whether it has ended by itself; after true its number may be another's.
  fileprivate func hasEnded() -> Bool {
    var status: Int32 = 0
    return waitpid(identifier, &status, WNOHANG) == identifier
  }

  fileprivate func kill() {
    _ = Foundation.kill(identifier, SIGKILL)
    _ = wait()
  }

  fileprivate func stop() {
    _ = Foundation.kill(identifier, SIGTERM)
    _ = wait()
  }
}

/// A program that runs beside a test, such as a server; it ends with the value.
public final class BackgroundProgram {
  private let process: ChildProcess
  private let scratch: TemporaryFolder
  private var isGone = false

  /// Starts it.
  public init(_ path: String, _ arguments: [String], in folder: String) throws {
    scratch = try TemporaryFolder()
    process = try ChildProcess(
      path, arguments, in: folder, environment: [:], input: try scratch.write("in", []),
      output: try scratch.write("out", []), errors: try scratch.write("err", []))
  }

  deinit { if !isGone { process.stop() } }

  /// Ends it at once, as a loss of power would.
  public func kill() {
    guard !isGone else { return }
    process.kill()
    isGone = true
  }

  /// Whether it has ended by itself.
  public var hasEnded: Bool {
    if !isGone { isGone = process.hasEnded() }
    return isGone
  }

  /// What it wrote to standard error.
  public var errors: String { (try? scratch.read("err")).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
