internal import SignetBase

/// The beginning of a file in zlib's format (RFC 1950): an object of git, for one. Two bytes are its mark, which texts have,
/// too. So it is one only if what follows can be decompressed.
enum ZlibHeader {
  /// How many bytes without a fault tell that they are compressed. Most texts have one among the first ten.
  private static let leastSize = 64
  /// How many are decompressed to tell that. All files of an archive are asked, so it must cost little.
  private static let mostSize = 4 * leastSize
  private static let outputSize = 64 << 10

  /// Whether such a file begins here: its header (section 2.2), and either all of it or so many bytes that are compressed.
  static func begins(_ start: [UInt8]) -> Bool {
    // Deflate, a window that it can have, no dictionary, and a check.
    guard start.count >= 8, start[0] & 0x0f == 8, start[0] >> 4 <= 7, start[1] & 0x20 == 0,
      (Int(start[0]) << 8 | Int(start[1])) % 31 == 0, let inflater = try? Inflater(.zlib)
    else { return false }
    var output = [UInt8](repeating: 0, count: outputSize)
    return unsafe Array(start.prefix(mostSize)).withUnsafeBytes { input in
      unsafe inflater.feed(input)
      var isFaulty = false
      while !inflater.isHungry {
        let result = unsafe output.withUnsafeMutableBytes { room in unsafe try? inflater.inflate(into: room, "zlib") }
        guard let (count, state) = result else {
          isFaulty = true
          break
        }
        if state == .ended { return true }
        if count == 0 { break }
      }
      // What is damaged further behind is one, too.
      return input.count - inflater.unused >= leastSize && (!isFaulty || input.count > leastSize)
    }
  }
}
