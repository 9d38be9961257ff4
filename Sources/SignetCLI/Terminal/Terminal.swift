internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The terminal the user sits at, whatever the standard streams are connected to.
struct Terminal: ~Copyable {
  private let descriptor: Int32

  /// Opens it; nil when the process has none.
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
    // Stopped with Ctrl-Z, the terminal would stay without echo.
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
