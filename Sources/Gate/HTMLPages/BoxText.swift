internal import SignetBase

/// Text in a box of a picture.
package enum BoxText {
  /// The columns of a line that is 292 units wide: a character of the code font is at most 7.3 units wide.
  package static let columns = 40

  /// Breaks text into lines of a box, after a space or a comma where one stands in the second half of the line; what
  /// does not fit is left out.
  package static func wrap(_ text: String, lines limit: Int, columns: Int = columns) -> [String] {
    var rest = text.clipped(to: limit * columns + 1).visible.unicodeScalars[...]
    var lines: [String] = []
    while !rest.isEmpty {
      let line = rest.prefix(rest.fitting(columns))
      guard line.endIndex < rest.endIndex else {
        lines.append(String(line))
        break
      }
      guard lines.count + 1 < limit else {
        lines.append(String(rest.prefix(rest.fitting(columns - 1))) + "…")
        break
      }
      let middle = line.index(line.startIndex, offsetBy: line.count / 2)
      let end = line[middle...].lastIndex { $0 == " " || $0 == "," }.map { line.index(after: $0) } ?? line.endIndex
      lines.append(String(line[..<end]))
      rest = rest[end...]
    }
    return lines
  }
}

extension String {
  /// The first characters of the text, with an ellipsis if there are more.
  package func clipped(to limit: Int) -> String {
    guard let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else {
      return self
    }
    return String(unicodeScalars[..<end]) + "…"
  }
}

extension Substring.UnicodeScalarView {
  /// How many of the first characters fit in some columns. Those outside ASCII may take two columns.
  fileprivate func fitting(_ columns: Int) -> Int {
    var free = columns
    return prefix { scalar in
      free -= scalar.isASCII ? 1 : 2
      return free >= 0
    }.count
  }
}
