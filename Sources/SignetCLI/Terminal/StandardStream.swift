internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Standard output and standard error, written without buffering behind our back: a result that could not be written
/// must not end in success.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// Whether a person is reading.
  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Lines, broken where a terminal would break words; as they are where a program is reading.
  func fitting(_ lines: [String]) -> [String] {
    guard let columns else { return lines }
    let wrapping = Wrapping(width: columns)
    return lines.flatMap { wrapping.lines(of: $0) }
  }

  /// Columns of the terminal; nil where it is none, or does not say.
  private var columns: Int? {
    var size = winsize()
    guard isTerminal, unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes everything, or says why not.
  func write(_ text: String) -> SystemFailure? {
    do throws(SystemFailure) {
      try SystemCall.write(rawValue, text)
      return nil
    } catch {
      return error
    }
  }

  /// Makes sure that descriptors 0 to 2 are open: a file opened later must not take the place of standard output and
  /// be written to. What stands in for them cannot be written, so writing still fails.
  static func occupy() {
    for number in 0...2 as ClosedRange<Int32> where fcntl(number, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }
}
