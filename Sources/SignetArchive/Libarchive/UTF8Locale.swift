internal import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The locale in which libarchive gives out names as UTF-8, whatever the process's own.
enum UTF8Locale {
  /// Runs `body` with it, on this thread alone.
  ///
  /// Where the system has no such locale, libarchive warns of names that it cannot give out.
  static func with<Value>(_ body: () throws(SignetError) -> Value) throws(SignetError) -> Value {
    #if canImport(Darwin)
      let name = "en_US.UTF-8"
    #else
      let name = "C.UTF-8"
    #endif
    guard let locale = unsafe newlocale(Int32(LC_CTYPE_MASK), name, nil) else { return try body() }
    let before = unsafe uselocale(locale)
    defer {
      _ = unsafe uselocale(before)
      unsafe freelocale(locale)
    }
    return try body()
  }
}
