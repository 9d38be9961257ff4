import Foundation
import Testing

@testable import SignetCLI

/// What stands in a column begins in one column of the terminal, whatever the names are.
@Suite("tables of files")
struct FileTableTests {
  private static let names = [
    "tool", "音楽プレーヤー", "cafe\u{301}", "⭐star✅", "❤️", "👩‍🚀🇨🇭", "한글", "ﬁ\u{20dd}", "\u{301}mark",
    String(repeating: "n", count: 60),
  ]

  /// The columns that terminals give to a name.
  @Test(
    "a name takes the columns that terminals give it",
    arguments: zip(names, [4, 14, 4, 8, 2, 4, 4, 1, 4, 60]))
  func columns(_ name: String, _ columns: Int) {
    #expect(Wrapping.columns(of: name[...]) == columns)
  }

  @Test(
    "in a terminal every column begins in one place, and a name that is too long has its own line",
    arguments: [80, 120, 40])
  func terminal(_ width: Int) {
    let table = FileTable(Self.names, FileTable.Widths(name: 48, middle: 28), width: width)
    var starts: Set<[Int]> = []
    for name in Self.names {
      let lines = table.lines("✓", name, "WHAT", more: "MORE")
      #expect(lines[0].hasPrefix("✓ \(name)"))
      if let last = lines.last, let what = last.range(of: "WHAT"), let more = last.range(of: "MORE") {
        starts.insert([what, more].map { Wrapping.columns(of: last[..<$0.lowerBound]) })
      }
      if width >= 80, name.count < 20 {
        #expect(lines.count == 1 && Wrapping.columns(of: lines[0][...]) <= width)
        #expect(Wrapping(width: width).lines(of: lines[0]) == lines)
      }
    }
    #expect(starts.count == 1)
  }

  @Test("a program that reads a table gets one line a file")
  func pipe() {
    let table = FileTable(Self.names, FileTable.Widths(name: 48, middle: 28), width: nil)
    for name in Self.names { #expect(table.lines("✓", name, "WHAT", more: "MORE").count == 1) }
  }
}
