#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension String {
  /// Whether two texts are the same, byte by byte.
  ///
  /// `==` follows Unicode's canonical equivalence: the kelvin sign equals `K`, and `é` is one text in two encodings.
  /// Names in URLs that differ are different names, as they are for files and web servers.
  func isSame(as other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    // Each part of each URL that is looked up is compared here. One comparison of memory is faster than a loop over
    // bytes.
    let result: Bool?? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return count == 0 }
        return unsafe memcmp(first, second, count) == 0
      }
    }
    // A text of another runtime (NSString) may not be contiguous in memory.
    return result.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }
}

/// A text as a key. Two keys are equal if all bytes of their texts are.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (one: ExactText, other: ExactText) -> Bool { one.text.isSame(as: other.text) }

  // Texts with the same bytes are also equal by `==`, so they have the same hash.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
