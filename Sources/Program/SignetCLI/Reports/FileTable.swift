/// A table of files: a mark, a name, and up to two more columns, which stay below each other.
package struct FileTable {
  /// The widths in columns: the longest name that others are aligned with, and the column after the names.
  package struct Widths {
    let name: Int
    let middle: Int

    package init(name: Int, middle: Int) {
      self.name = name
      self.middle = middle
    }
  }

  private let nameWidth: Int
  private let middle: Int
  /// A name that is too long for its column has a line of its own. A program that reads the table gets one line a file.
  private let isBroken: Bool
  /// What the last column needs: the longest code, of all that are shown often.
  private static let last = 18
  private static let leastName = 12

  /// Makes a table.
  ///
  /// - Parameter width: the terminal's width in columns; nil if a program reads the table.
  package init(_ names: [String], _ widths: Widths, width: Int?) {
    let longest = names.map { Wrapping.columns(of: $0[...]) }.max() ?? 0
    let room = width.map { max(Self.leastName, $0 - 2 - 3 - widths.middle - Self.last) }
    nameWidth = min(longest, widths.name, room ?? widths.name) + 3
    middle = widths.middle
    isBroken = width != nil
  }

  /// The lines of a file.
  ///
  /// - Parameter mark: one column, which may be coloured.
  package func lines(_ mark: String, _ name: String, _ what: String, more: String = "") -> [String] {
    let rest = more.isEmpty ? what : Wrapping.padded(what, middle) + more
    guard isBroken, Wrapping.columns(of: name[...]) + 2 > nameWidth else {
      return ["\(mark) \(Wrapping.padded(name, nameWidth))\(rest)"]
    }
    return ["\(mark) \(name)", String(repeating: " ", count: 2 + nameWidth) + rest]
  }
}
