/// What the text files of OpenSSH share.
enum SSHText {
  /// The lines, as OpenSSH tells them apart: by the line feed alone, with or without a return before it.
  static func lines(of text: String) -> [String] {
    text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
    }
  }

  /// Whether a character could be the end of a line for another program, or cannot be seen.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar != "\t"
    case .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
