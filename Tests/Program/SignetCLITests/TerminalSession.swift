import Foundation
import TestSupport

/// A program in a terminal of its own, whose user is the test. It is ended when the user's patience is.
final class TerminalSession {
  private let master: Int32
  private var process = pid_t()
  private var screen: [UInt8] = []
  /// No honest step takes this long, however busy the machine.
  private static let patience = 1800.0

  /// Everything shown so far.
  var shown: String { String(decoding: screen, as: UTF8.self) }

  init(_ command: String, in folder: String, environment: [String: String]) throws {
    master = posix_openpt(O_RDWR | O_NOCTTY)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
      throw CocoaError(.fileReadUnknown)
    }
    // The slave, opened as descriptor 0 by the leader of a new session, becomes its controlling terminal.
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Ctrl-C counts in a terminal, also where the tests themselves run in the background and ignore it.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSID) | Int16(POSIX_SPAWN_SETSIGDEF))
    let variables =
      ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
    let words: [String] = ["bash", "-c", "\(Shell.preamble)cd \"$0\" && \(command)", folder]
    let arguments = words.map { strdup($0) } + [nil]
    let failure = posix_spawn(&process, "/bin/bash", &actions, &attributes, arguments, variables)
    for pointer in variables + arguments { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    guard failure == 0 else { throw CocoaError(.fileReadUnknown) }
  }

  deinit { close(master) }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Reads until the text was shown; false when the program ends or is silent before it was.
  func wait(for text: String) -> Bool {
    let end = Date().addingTimeInterval(Self.patience)
    while !shown.contains(text) {
      guard Date() < end, read() else { return shown.contains(text) }
    }
    return true
  }

  /// Reads to the end and gives the exit status, as a shell would.
  func finish() -> Int32 {
    let end = Date().addingTimeInterval(Self.patience)
    while Date() < end, read() {}
    var status: Int32 = 0
    if waitpid(process, &status, WNOHANG) != process {
      // The terminal is gone or the patience is: either way it has to end now.
      let last = Date().addingTimeInterval(Self.patience)
      var ended = false
      while !ended, Date() < last {
        usleep(20_000)
        ended = waitpid(process, &status, WNOHANG) == process
      }
      if !ended {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
      }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  /// Takes what is there, waiting a little; false when nothing will come any more.
  private func read() -> Bool {
    var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 100) >= 0 else { return false }
    if descriptor.revents == 0 { return true }
    var buffer = [UInt8](repeating: 0, count: 4096)
    // The last user of the slave gone, Linux answers EIO.
    let count = Foundation.read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    screen += buffer.prefix(count)
    return true
  }
}
