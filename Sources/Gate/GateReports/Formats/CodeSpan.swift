internal import SignetBase

/// A text in Markdown's code style (GitHub Flavored Markdown, section 6.3).
///
/// Nothing in a code span is read as Markdown or HTML, and GitHub makes no link, mention or reference of it. Character
/// references would not do: GitHub looks for addresses, mentions and references in what they stand for.
struct CodeSpan: CustomStringConvertible {
  /// The span.
  let description: String

  init(_ text: String) {
    // A table's row is split at its pipes before anything else is read (section 4.10), and an escaped pipe behind a
    // backslash is read differently by different readers. So there are no pipes.
    let text = text.visible.replacingScalars { $0 == "|" ? #"\u{7c}"# : nil }
    // A span ends at a run of backquotes as long as the one that began it.
    let fence = String(repeating: "`", count: Self.longestRun(in: text) + 1)
    // A reader takes one space off both ends, if there is one at both. An empty span would be two backquotes.
    let ends = [text.utf8.first, text.utf8.last]
    let isPadded = text.isEmpty || ends.contains(UInt8(ascii: "`")) || ends.contains(UInt8(ascii: " "))
    let padding = isPadded ? " " : ""
    description = fence + padding + text + padding + fence
  }

  private static func longestRun(in text: String) -> Int {
    var (longest, run) = (0, 0)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
