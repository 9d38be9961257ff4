#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Standard output and standard error.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// Writes a text; when that fails there is nobody to tell.
  func write(_ text: String) { _ = TextFile.write(Array(text.utf8), toDescriptor: rawValue) }
}
