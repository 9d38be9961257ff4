internal import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The terminal that the user sits at, whatever the standard streams are connected to.
struct Terminal: ~Copyable {
  private let descriptor: Int32

  /// Opens the terminal; nil if the process has none.
  init?() {
    let number = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    descriptor = number
  }

  deinit { close(descriptor) }

  /// Asks for a passphrase without showing it.
  ///
  /// - Throws: `passphrase.unreadable`, `passphrase.malformed`.
  func ask(_ prompt: String) throws(SignetError) -> SecretBytes {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      throw PassphraseReader.unreadable("the terminal", .last("tcgetattr"))
    }
    let before = settings
    let descriptor = descriptor
    let restore: @Sendable () -> Void = {
      var settings = before
      unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
    }
    settings.c_lflag &= ~tcflag_t(ECHO)
    settings.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
    // If the process were stopped with Ctrl-Z, the terminal would stay without echo.
    Self.disableSuspension(&settings)
    Interruption.cleanUp(with: restore)
    defer {
      restore()
      Interruption.cleanUp(with: nil)
    }
    guard unsafe tcsetattr(descriptor, TCSAFLUSH, &settings) == 0 else {
      throw PassphraseReader.unreadable("the terminal", .last("tcsetattr"))
    }
    do throws(SystemFailure) {
      try SystemCall.write(descriptor, prompt)
    } catch {
      throw PassphraseReader.unreadable("the terminal", error)
    }
    return try PassphraseReader.read(descriptor, "the terminal")
  }

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
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// Whether a person is reading.
  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Lines, broken where a terminal would break words; unchanged if a program is reading.
  func fitting(_ lines: [String]) -> [String] {
    guard let columns else { return lines }
    let wrapping = Wrapping(width: columns)
    return lines.flatMap { wrapping.lines(of: $0) }
  }

  /// The width of the terminal in columns; nil if it is not a terminal, or does not say.
  private var columns: Int? {
    var size = winsize()
    guard isTerminal, unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes everything, or returns why it could not.
  func write(_ text: String) -> SystemFailure? {
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
