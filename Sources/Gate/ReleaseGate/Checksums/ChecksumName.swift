/// The name of a file in a list.
enum ChecksumName {
  /// What a name may mean, with the likeliest one at the end, if it is a path of Windows, as tables without their heads have.
  static func meanings(of name: [UInt8]) -> [String] {
    let isPath = name.count > 3 && name[1] == UInt8(ascii: ":") && name[2] == UInt8(ascii: "\\")
    return isPath ? WindowsPath.names(name[...]) : [String(decoding: name, as: UTF8.self)]
  }

  /// A name in which a backslash stands before a backslash, before `n` for a line feed, and before `r` for a return.
  static func unescaped(_ name: [UInt8]) -> [UInt8] {
    var (bytes, isAfterBackslash): ([UInt8], Bool) = ([], false)
    for byte in name {
      if isAfterBackslash {
        bytes.append(byte == UInt8(ascii: "n") ? 0x0a : byte == UInt8(ascii: "r") ? 0x0d : byte)
        isAfterBackslash = false
      } else if byte == UInt8(ascii: "\\") {
        isAfterBackslash = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
