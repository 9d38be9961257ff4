extension String {
  /// The text as one word of a POSIX shell, for commands that a message suggests.
  package var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+,:@%=".utf8.contains(byte)
      }
    }
    if isPlain, !isEmpty, utf8.first != UInt8(ascii: "-") { return self }
    // An option's name is no file's: what begins with a hyphen is named by way of its folder.
    let path = utf8.first == UInt8(ascii: "-") ? "./" + self : self
    return "'" + path.replacing("'", with: #"'\''"#) + "'"
  }
}
