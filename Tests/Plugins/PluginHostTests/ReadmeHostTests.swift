import TestSupport
import Testing

@Suite("the README's host") struct ReadmeHostTests {
  @Test("the program in the README is the one that is compiled here")
  func example() throws {
    let example = try Repository.text("Tests/Plugins/PluginHostTests/ReadmeHostExample.swift")
    #expect(try Repository.text("README.md").contains("```swift\n\(example)```"))
  }
}
