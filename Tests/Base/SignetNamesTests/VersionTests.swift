import Testing

@testable import SignetNames

@Suite struct VersionTests {
  @Test("versions are ordered as semver.org's item 11 orders its own examples")
  func order() throws {
    let ordered = [
      "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
      "1.0.0-rc.1", "1.0.0", "1.0.1", "1.1.0", "1.10.0", "2.0.0", "10.0.0",
    ].compactMap { SemanticVersion($0) }
    #expect(ordered.count == 14)
    for (left, first) in ordered.enumerated() {
      for (right, second) in ordered.enumerated() {
        #expect((first < second) == (left < right))
        #expect((first == second) == (left == right))
      }
    }
    #expect(SemanticVersion("1.0.0+a") == SemanticVersion("1.0.0+b"))
  }

  @Test(
    "what is no version is none",
    arguments: [
      "", "1", "1.0", "1.0.0.0", "01.0.0", "1.00.0", "1.0.0-", "1.0.0-01", "1.0.0-a..b", "1.0.0+", "1.0.0+a+b",
      "v1.0.0",
      "1.0.0 ", "1.0.x", "-1.0.0", "1.0.0-ä", "99999999999999999999.0.0",
    ])
  func none(text: String) { #expect(SemanticVersion(text) == nil) }

  @Test(
    "a range holds what all of its comparators allow",
    arguments: [
      (">=1.2.0 <1.4.3", "1.2.0", true), (">=1.2.0 <1.4.3", "1.4.3", false), (">=1.2.0 <1.4.3", "1.4.3-beta", true),
      (">=1.2.0 <1.4.3", "1.1.9", false), ("=1.0.0", "1.0.0+x", true), ("=1.0.0", "1.0.1", false),
      ("<=1.0.0", "1.0.0", true), (">1.0.0", "1.0.0", false), (">1.0.0", "1.0.1", true),
    ])
  func ranges(range: String, version: String, contains: Bool) throws {
    let version = try #require(SemanticVersion(version))
    #expect(try #require(VersionRange(range)).contains(version) == contains)
  }

  @Test(
    "what is no range is none",
    arguments: [
      "", "1.0.0", "~1.0.0", "^1.0.0", ">=1", ">= 1.0.0", ">=1.0.0  <2.0.0", " >=1.0.0", "<1.0.0 ", "=>1.0.0", "*",
    ])
  func noRange(text: String) { #expect(VersionRange(text) == nil) }

  @Test(
    "a range is empty if a lower bound is above an upper one",
    arguments: [
      (">=1.2.0 <1.4.3", false), (">=2.0.0 <1.0.0", true), ("<1.0.0 >=2.0.0", true), (">1.0.0 <1.0.0", true),
      (">=1.0.0 <1.0.0", true), (">1.0.0 <=1.0.0", true), (">=1.0.0 <=1.0.0", false), ("=1.0.0", false),
      ("=1.0.0 =1.0.1", true), ("=1.0.0 <1.0.0", true), (">=1.0.0 >=2.0.0", false),
      ("<1.0.0-rc.1 >=1.0.0-beta", false),
    ])
  func emptyRanges(range: String, isEmpty: Bool) throws {
    #expect(try #require(VersionRange(range)).isEmpty == isEmpty)
  }
}
