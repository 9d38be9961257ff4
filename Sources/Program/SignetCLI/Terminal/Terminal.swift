package import SignetBase
package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The terminal that the user sits at, whatever the standard streams are connected to.
package struct Terminal: ~Copyable {
  private let descriptor: Int32

  /// Opens the terminal; nil if the process has none.
  ///
  /// A process in a container may have a terminal that /dev/tty does not name: the file is missing, or the terminal is
  /// that of no session yet. Standard error is it then. A terminal of another session is not taken: somebody else reads
  /// from it at the same time, and would get a part of the passphrase.
  package init?() {
    var number = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    if number < 0, Self.isOwnStandardError { number = fcntl(2, F_DUPFD_CLOEXEC, 3) }
    guard number >= 0 else { return nil }
    descriptor = number
  }

  deinit { close(descriptor) }

  /// Whether standard error is the terminal of this session, or becomes it, because it is that of none.
  private static var isOwnStandardError: Bool {
    guard isatty(2) == 1, fcntl(2, F_GETFL) & O_ACCMODE == O_RDWR else { return false }
    return tcgetsid(2) == getsid(0) || ioctl(2, UInt(TIOCSCTTY), 0) == 0
  }

  /// Whether a person may be asked: standard input and standard error are a terminal, so that no script is running.
  static var isAttended: Bool { isatty(0) == 1 && isatty(2) == 1 }

  /// Asks for a passphrase without showing it.
  ///
  /// - Throws: `passphrase.unreadable`, `passphrase.malformed`.
  package func ask(_ prompt: String) throws(SignetError) -> SecretBytes {
    do throws(SystemFailure) { try begin(showingInput: false, prompt) } catch {
      throw PassphraseReader.unreadable("the terminal", error)
    }
    defer { Self.end() }
    return try PassphraseReader.read(descriptor, "the terminal")
  }

  /// Asks for a line of text, which the terminal shows.
  ///
  /// - Returns: the bytes of the line, without its end; nil at the end of input.
  /// - Throws: `question.unreadable`.
  package func line(_ prompt: String) throws(SignetError) -> [UInt8]? {
    do throws(SystemFailure) {
      try begin(showingInput: true, prompt)
      defer { Self.end() }
      return try readLine()
    } catch {
      throw SignetError(.questionUnreadable, "the terminal", "the answer cannot be read", cause: error)
    }
  }

  /// The maximum number of bytes in a line that is typed: Linux hands over at most 4095 of them.
  private static let lineLimit = 4096

  private func readLine() throws(SystemFailure) -> [UInt8]? {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Self.lineLimit)
    while line.count < Self.lineLimit {
      var failure: SystemFailure?
      let got = unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
        do throws(SystemFailure) { return try unsafe SystemCall.read(descriptor, into: bytes) } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      if got == 0 { return line.isEmpty ? nil : line }
      line += buffer[..<got]
      if line.last == UInt8(ascii: "\n") { return line.dropLast() }
    }
    return line
  }

  /// Writes a prompt and prepares the terminal for a line of input. ``end()`` restores it, and so does an interruption.
  private func begin(showingInput isShown: Bool, _ prompt: String) throws(SystemFailure) {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { throw .last("tcgetattr") }
    let before = settings
    let descriptor = descriptor
    // A passphrase is what was typed after the prompt, and nothing of it is left for others. Lines that were pasted are
    // the answers to several questions.
    let when = isShown ? TCSADRAIN : TCSAFLUSH
    let restore: @Sendable () -> Void = {
      var settings = before
      unsafe tcsetattr(descriptor, when, &settings)
    }
    Interruption.cleanUp(with: restore)
    settings.c_lflag |= tcflag_t(ICANON | ISIG)
    if isShown {
      settings.c_lflag |= tcflag_t(ECHO)
    } else {
      settings.c_lflag &= ~tcflag_t(ECHO)
      settings.c_lflag |= tcflag_t(ECHONL)
      // If the process were stopped with Ctrl-Z, the terminal would stay without echo.
      Self.disableSuspension(&settings)
    }
    do throws(SystemFailure) {
      guard unsafe tcsetattr(descriptor, when, &settings) == 0 else { throw .last("tcsetattr") }
      try SystemCall.write(descriptor, prompt)
    } catch {
      Self.end()
      throw error
    }
  }

  /// Restores the terminal.
  private static func end() { Interruption.cleanUpNow() }

  private static func disableSuspension(_ settings: inout termios) {
    #if canImport(Darwin)
      settings.c_cc.10 = 0xff
    #else
      settings.c_cc.10 = 0
    #endif
  }
}

/// Standard output and standard error, written without hidden buffering: a result that could not be written must not
/// end in success.
package enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// Whether a person is reading.
  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Lines, broken where a terminal would break words; unchanged if a program is reading.
  package func fitting(_ lines: [String]) -> [String] {
    guard let columns else { return lines }
    let wrapping = Wrapping(width: columns)
    return lines.flatMap { wrapping.lines(of: $0) }
  }

  /// The width of the terminal in columns; nil if it is not a terminal, or does not say.
  package var columns: Int? {
    var size = winsize()
    guard isTerminal, unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes everything, or returns why it could not.
  package func write(_ text: String) -> SystemFailure? {
    do throws(SystemFailure) {
      try SystemCall.write(rawValue, text)
      return nil
    } catch {
      return error
    }
  }

  /// Makes sure that descriptors 0 to 2 are open: a file opened later must not take the place of standard output and be
  /// written to. The replacements cannot be written, so writing still fails.
  static func occupy() {
    for number in 0...2 as ClosedRange<Int32> where fcntl(number, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }
}
