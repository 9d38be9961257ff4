import TestSupport
import Testing

@testable import ReleaseContents

@Suite struct PathPatternTests {
  @Test(
    "a pattern covers what it says",
    arguments: [
      ("*.md", "README.md", true), ("*.md", "docs/README.md", true), ("*.md", "README.md/x", false),
      ("*.md", ".md", true), ("docs/**", "docs/a", true), ("docs/**", "docs/a/b", true), ("docs/**", "docs", true),
      ("docs/**", "other/docs/a", false), ("docs", "docs", true), ("docs", "a/docs", true), ("docs", "docs/a", false),
      ("a/*/c", "a/b/c", true), ("a/*/c", "a/b/b/c", false), ("a/**/c", "a/c", true), ("a/**/c", "a/b/b/c", true),
      ("**/c", "c", true), ("a*b*c", "aXbYc", true), ("a*b*c", "abc", true), ("a*b*c", "acb", false),
      ("*", "a/b", true), ("\u{e9}", "e\u{301}", false), ("**", "a/b/c", true),
    ])
  func covers(pattern: String, path: String, isCovered: Bool) throws {
    #expect(try #require(PathPattern(pattern)).covers(path) == isCovered)
  }

  @Test("of several patterns, the first one counts, and a pattern for files leaves out no folder")
  func list() throws {
    let list = ExclusionList(
      ["b*", "README.md", "docs/**", "*.md", "README.md", "cache"].compactMap { PathPattern($0) })
    func first(_ path: String, isFolder: Bool = false) -> String? {
      list.first(for: path, isFolder: isFolder)?.description
    }
    #expect(first("a/README.md") == "README.md")
    #expect(first("docs/README.md") == "README.md")
    #expect(first("docs/a") == "docs/**")
    #expect(first("NEWS.md") == "*.md")
    #expect(first("b.md") == "b*")
    #expect(first("more.md", isFolder: true) == nil)
    #expect(first("cache", isFolder: true) == "cache")
    #expect(first("README.md", isFolder: true) == "README.md")
    #expect(first("tool") == nil)
    #expect(ExclusionList([]).first(for: "tool", isFolder: false) == nil)
    for pattern in ["b*", "README.md", "docs/**", "*.md", "cache", "a/*/c", "**", "**/c", "c/**", "**/**"] {
      let pattern = try #require(PathPattern(pattern))
      for path in ["README.md", "a/README.md", "docs", "docs/a/b", "a/b/c", "c", "b.md", "a/b", "cache"] {
        #expect((ExclusionList([pattern]).first(for: path, isFolder: false) != nil) == pattern.covers(path))
      }
    }
  }

  @Test("what is no pattern is refused", arguments: ["", "/a", "a/", "a//b", ".", "a/../b", "a\u{0}"])
  func refused(text: String) { #expect(PathPattern(text) == nil) }

  @Test("a pattern of many stars takes no more time than the two lengths multiplied")
  func stars() throws {
    let pattern = try #require(PathPattern(String(repeating: "*a", count: 1000) + "b"))
    #expect(!pattern.covers(String(repeating: "a", count: 4000)))
    let folders = try #require(PathPattern(Array(repeating: "**/a", count: 500).joined(separator: "/") + "/b"))
    #expect(!folders.covers(Array(repeating: "a", count: 1000).joined(separator: "/")))
  }
}
