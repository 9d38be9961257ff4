#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The search for a byte, by the system's memchr(3), which looks at many bytes at once.
package enum ByteSearch {
  /// The offsets at which a byte occurs, in rising order.
  package static func places(of byte: UInt8, in bytes: [UInt8]) -> [Int] {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return [] }
      var places: [Int] = []
      var start = 0
      while start < bytes.count, let found = unsafe memchr(base + start, Int32(byte), bytes.count - start) {
        let place = unsafe UnsafeRawPointer(found) - base
        places.append(place)
        start = place + 1
      }
      return places
    }
  }
}
