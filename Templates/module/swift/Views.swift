import Foundation
import Testing

@testable import {{target}}

/// Pages are compared with the texts in Views. RECORD_VIEWS=1 writes them: look at the difference before you commit it.
@Suite struct {{Name}}ViewTests {
  static let pages = [
    ("first", {{Name}}Pages.first()), ("item", {{Name}}Pages.item("7")),
  ]

  @Test("a page is as it was recorded", arguments: pages)
  func view(name: String, page: String) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Views/\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD_VIEWS"] == "1" {
      try Data((page + "\n").utf8).write(to: file)
    }
    #expect(try Data(contentsOf: file) == Data((page + "\n").utf8))
  }
}
