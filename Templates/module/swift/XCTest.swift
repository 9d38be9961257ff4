import XCTest

@testable import {{target}}

final class {{Name}}Tests: XCTestCase {
  func testItem() { XCTAssertEqual({{Name}}Pages.item("7"), "{{name}} shows 7") }
}
