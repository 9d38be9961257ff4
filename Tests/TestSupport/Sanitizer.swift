#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What watches the tests.
public enum Sanitizer {
  /// Whether the address sanitizer does: it keeps what was let go of for a while, so that memory says nothing.
  public static let isAddress = has("__asan_init")
  /// Whether the thread sanitizer does.
  public static let isThread = has("__tsan_init")

  private static func has(_ symbol: String) -> Bool { dlsym(dlopen(nil, RTLD_NOW), symbol) != nil }
}
