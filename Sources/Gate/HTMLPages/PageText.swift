package import SignetBase

/// A sign for a result, and the word for it.
package enum Mark {
  case good, bad, warning

  /// The sign. Its shape tells it from the others, not only its colour.
  package var sign: String {
    switch self {
    case .good: "✓"
    case .bad: "✗"
    case .warning: "!"
    }
  }

  fileprivate var style: HTML.Attribute {
    switch self {
    case .good: .class("mark good")
    case .bad: .class("mark bad")
    case .warning: .class("mark warning")
    }
  }
}

extension HTML {
  /// Writes a mark.
  ///
  /// - Parameter word: is read aloud in place of the sign; nil if the text after it says the same.
  package mutating func add(_ mark: Mark, _ word: String? = nil) {
    add(.span, mark.style) { page in
      page.add(.span, .decoration, text: mark.sign)
      if let word { page.add(.span, .class("unseen"), text: word) }
    }
  }

  /// Writes a time to the minute.
  package mutating func add(_ time: UnixTime) {
    let text = time.description
    add(.time, .time(time), text: "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC")
  }

  /// Writes the day of a time.
  package mutating func addDay(of time: UnixTime) {
    add(.time, .time(time), text: String(time.description.prefix(10)))
  }

  /// Writes a long identifier that is shown in part; a selection, a copy and print have all of it.
  package mutating func addShort(_ identifier: String) { add(.code, .class("short"), text: identifier) }

  /// Writes a list of rows.
  package mutating func addRows(_ count: Int, content: (inout HTML) -> Void) {
    add(.ul, count > 50 ? .class("rows many") : .class("rows"), .role(.list), content: content)
  }

  /// Writes rows; those beyond the limit are folded, so that a large release stays quick to read.
  ///
  /// - Parameters:
  ///   - more: says how many rows are folded.
  ///   - container: writes some of the rows, with the list or table around them. No list or table has more rows than the
  ///     limit, because browsers skip what is off the screen as a whole.
  package mutating func addFolded<Row>(
    _ rows: [Row], limit: Int = 200, more: (Int) -> String,
    in container: (inout HTML, ArraySlice<Row>) -> Void
  ) {
    container(&self, rows.prefix(limit))
    guard rows.count > limit else { return }
    add(.details, .class("fold")) { page in
      page.add(.summary, text: more(rows.count - limit))
      for start in stride(from: limit, to: rows.count, by: limit) {
        container(&page, rows[start..<min(start + limit, rows.count)])
      }
    }
  }
}
