/// A path without its version numbers. It finds a file whose name changes with each release.
///
/// `tool-1.2.0.tar.gz` and `tool-1.3.0.tar.gz` have the same path without version numbers. A version number is two
/// numbers or more with dots between them: `sha256.txt` and `x86_64` have none.
enum VersionlessPath {
  /// The path's bytes, with NUL in the place of each version number; nil if the path has none.
  static func bytes(of path: String) -> [UInt8]? {
    let path = Array(path.utf8)
    var bytes: [UInt8] = []
    var hasVersion = false
    var index = 0
    while index < path.count {
      let end = endOfNumbers(path, from: index)
      if end > index {
        let numbers = path[index..<end]
        let isVersion = numbers.contains(UInt8(ascii: "."))
        bytes += isVersion ? [0] : Array(numbers)
        hasVersion = hasVersion || isVersion
        index = end
      } else {
        bytes.append(path[index])
        index += 1
      }
    }
    return hasVersion ? bytes : nil
  }

  /// The end of the numbers that begin at an index, with single dots between them; the index itself if none does.
  private static func endOfNumbers(_ path: [UInt8], from start: Int) -> Int {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var end = start
    while end < path.count {
      if digits.contains(path[end]) {
        end += 1
      } else if path[end] == UInt8(ascii: "."), end > start, end + 1 < path.count, digits.contains(path[end + 1]) {
        end += 1
      } else {
        break
      }
    }
    return end
  }
}
