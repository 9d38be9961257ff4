internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What the process is told by its environment, and how it is set up.
enum ProcessEnvironment {
  /// Whether a variable is there and not empty.
  static func has(_ name: String) -> Bool {
    guard let value = unsafe getenv(name) else { return false }
    return unsafe value.pointee != 0
  }

  /// The value of a variable; nil when it is not there, or no text.
  static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
  }

  /// The value of a variable that holds a secret. The process has it no longer afterwards, nor what it starts.
  static func secret(_ name: String) -> SecretBytes {
    guard let value = unsafe getenv(name) else { return SecretBytes([]) }
    let count = unsafe strlen(value)
    let secret = unsafe SecretBytes(capacity: count) { (memory) in
      unsafe memory.copyMemory(from: UnsafeRawBufferPointer(start: value, count: count))
      return count
    }
    unsafe memset(value, 0, count)
    unsafe unsetenv(name)
    return secret
  }

  /// Failing writes answer instead of killing; secrets do not end up in a core file.
  static func prepare() {
    StandardStream.occupy()
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
      unsafe setrlimit(RLIMIT_CORE, &none)
    #endif
  }
}
