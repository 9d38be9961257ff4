internal import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The locale in which libarchive returns names as UTF-8, whatever the process's own locale is.
enum UTF8Locale {
  /// Runs `body` in this locale, on this thread only.
  ///
  /// If the system has no such locale, libarchive warns about names that it cannot return.
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
