import Foundation
import SignetSystem
import TestSupport

/// A running Chromium without a screen. It is told what to do by its DevTools protocol over two pipes, so nobody else can
/// tell it anything.
final class Chromium: Sendable {
  static let program = ["chromium", "chromium-browser", "google-chrome"].compactMap(Program.find).first
  typealias Values = [String: Any]

  /// What is waited for, and what hears of events.
  private struct State {
    var next = 1
    var waiting: [Int: (Values) -> Void] = [:]
    var sessions: [String: (String, Values) -> Void] = [:]
    var hasEnded = false
  }

  // Sendable: it is only kept.
  private nonisolated(unsafe) let profile: TemporaryFolder
  private let process: pid_t
  private let output: Int32
  private let input: Int32
  private let state = Monitor(State())

  init() throws {
    profile = try TemporaryFolder()
    let (theirInput, output) = try Self.pipe()
    let (input, theirOutput) = try Self.pipe()
    defer { for end in [theirInput, theirOutput] { close(end) } }
    self.output = output
    self.input = input
    process = try Self.start(theirInput, theirOutput, profile.path)
    let reader = Thread { [self] in read() }
    reader.name = "chromium"
    reader.start()
  }

  /// Ends the browser, and waits until it has ended.
  func end() {
    send("Browser.close")
    _ = state.wait(milliseconds: 10_000) { $0.hasEnded }
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    close(output)
  }

  /// Sends a command.
  ///
  /// - Parameter completion: called with the result, or with `error` among the values.
  func send(
    _ method: String, _ parameters: Values = [:], session: String? = nil, completion: ((Values) -> Void)? = nil
  ) {
    // Sendable: JSON's values do not change, and a completion is called once, on the reader's thread.
    nonisolated(unsafe) let completion = completion
    let number = state.withLock { state in
      defer { state.next += 1 }
      state.waiting[state.next] = completion ?? { _ in }
      return state.next
    }
    var message: Values = ["id": number, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    guard let data = try? JSONSerialization.data(withJSONObject: message) else { return }
    // One thread writes at a time, and a message is written whole.
    state.withLock { _ in
      var rest = Array(data + [0])[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(count, 0))
      }
    }
  }

  /// Calls a handler with the events of a session, one after the other, on the reader's thread.
  func observe(_ session: String, _ handler: @escaping (String, Values) -> Void) {
    nonisolated(unsafe) let handler = handler
    state.withLock { $0.sessions[session] = handler }
  }

  private func read() {
    var buffer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = piece.withUnsafeMutableBytes { Foundation.read(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      buffer += piece[..<count]
      while let end = buffer.firstIndex(of: 0) {
        take(Data(buffer[..<end]))
        buffer.removeFirst(end + 1)
      }
    }
    close(input)
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for completion in waiting { completion(["error": "chromium has ended"]) }
  }

  private func take(_ data: Data) {
    guard let message = (try? JSONSerialization.jsonObject(with: data)) as? Values else { return }
    if let number = message["id"] as? Int {
      let completion = state.withLock { $0.waiting.removeValue(forKey: number) }
      completion?(message["result"] as? Values ?? ["error": message["error"] ?? "none"])
    } else if let session = message["sessionId"] as? String, let method = message["method"] as? String {
      state.withLock { $0.sessions[session] }?(method, message["params"] as? Values ?? [:])
    }
  }

  // MARK: The process

  private static func start(_ input: Int32, _ output: Int32, _ profile: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, input, 3)
    posix_spawn_file_actions_adddup2(&actions, output, 4)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let program = program ?? ""
    let words: [String] = [
      program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
      "--disable-dev-shm-usage", "--user-data-dir=\(profile)", "--remote-debugging-pipe",
    ]
    let variables = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    let arguments = words.map { strdup($0) } + [nil]
    let environment = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process = pid_t()
    let failure = posix_spawn(&process, program, &actions, &attributes, arguments, environment)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
    return process
  }

  /// The two ends of a pipe, which no child inherits by itself, above the numbers that a child has for its own.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var low: [Int32] = [0, 0]
    guard Foundation.pipe(&low) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
    defer { for end in low { close(end) } }
    return (fcntl(low[0], F_DUPFD_CLOEXEC, 10), fcntl(low[1], F_DUPFD_CLOEXEC, 10))
  }
}
