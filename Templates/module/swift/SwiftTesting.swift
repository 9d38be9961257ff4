import Testing

@testable import {{target}}

@Suite struct {{Name}}Tests {
  @Test("a page shows the item that is asked for")
  func item() { #expect({{Name}}Pages.item("7") == "{{name}} shows 7") }
}
