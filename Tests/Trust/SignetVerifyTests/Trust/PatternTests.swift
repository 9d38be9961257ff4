import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct PatternTests {
  @Test(
    "a URI pattern covers its URI and what is below, component by component",
    arguments: [
      ("https://a.com", "https://a.com", true), ("https://a.com", "https://a.com/x/y", true),
      ("https://a.com/", "https://a.com/x", true), ("https://a.com", "https://a.com.evil/x", false),
      ("https://a.com", "https://evil.a.com", false), ("https://a.com", "http://a.com", false),
      ("https://a.com", "https://a.com:8443/x", false), ("https://a.com:8443", "https://a.com:8443/x", true),
      ("https://a.com/p", "https://a.com/p", true), ("https://a.com/p/", "https://a.com/p", true),
      ("https://a.com/p", "https://a.com/p-2", false), ("https://a.com/p", "https://a.com/P", false),
      ("https://a.com/*/x", "https://a.com/1/x/y", true), ("https://a.com/*/x", "https://a.com/x", false),
      ("https://*.a.com", "https://b.a.com/x", true), ("https://*.a.com", "https://c.b.a.com", false),
      ("https://*.a.com", "https://a.com", false), ("ui://*", "ui://player/start", true),
      ("http://*", "http://local:8080/x", false), ("http://*:8080", "http://local:8080/x", true),
      ("http://a.*", "http://a.b:8080", false), ("http://*.com:81", "http://a.com:81", true),
      ("http://*.com:81", "http://a.com:82", false), ("http://*.com:81", "http://a.com", false),
      ("ui://player", "ui://player/start", true), ("**", "ui://x", true),
    ])
  func uris(pattern: String, uri: String, covers: Bool) throws {
    let uri = try #require(ModuleURI(uri))
    #expect(try #require(URIPattern(pattern)).covers(uri) == covers)
  }

  @Test(
    "a URI with more than one reading is none",
    arguments: [
      "", "a.com", "https:/a.com", "https://", "https:///x", "HTTPS://a.com", "https://A.com", "https://u@a.com",
      "https://a.com/../x", "https://a.com/./x", "https://a.com//x", "https://a.com/x?y", "https://a.com/x#y",
      "https://a.com/%2e%2e/x", "https://a.com/%2F", "https://a.com/%5c", "https://a.com/%5C", "https://a.com/%41",
      "https://a.com/%c3", "https://a.com/%C", "https://a.com/%00", "https://a.com/\\x", "https://a.com/x y",
      "https://a.com:0/", "https://a.com:080/", "https://a.com:99999/", "https://a.com:/", "https://a..com",
      "https://a.com./", "https://-a.com", "1s://a", "https://a.com/ä", "https://a.com/x//", "https://a.com:*",
      "https://a.com:1:2", "https://:1",
    ])
  func noURIs(text: String) {
    #expect(ModuleURI(text) == nil)
    #expect(URIPattern(text) == nil)
  }

  @Test("a scope covers a role when it covers all that is asked; what is unnamed needs everything")
  func scopes() throws {
    let module = try #require(ModuleIdentifier("com.example.a"))
    let uri = try #require(ModuleURI("https://a.com/x"))
    let modules = [try #require(ModulePattern("com.example.*"))]
    let uris = [try #require(URIPattern("https://a.com"))]
    let both = ArtifactRole(module: module, uri: uri)
    #expect(TrustScope(modules: modules, uris: uris).covers(both))
    #expect(!TrustScope(modules: modules).covers(both))
    #expect(!TrustScope(uris: uris).covers(both))
    #expect(TrustScope(modules: modules).covers(ArtifactRole(module: module)))
    #expect(!TrustScope(modules: modules, uris: uris).covers(.unnamed))
    #expect(!TrustScope().covers(.unnamed))
    #expect(!TrustScope().covers(ArtifactRole(module: module)))
    #expect(TrustScope(modules: [.any]).covers(.unnamed))
    #expect(TrustScope.everything.covers(both))
  }

  @Test("a file pattern covers what a slow and obvious reading of it covers")
  func files() throws {
    /// A star stands for nothing, or for one character and a star.
    func covers(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
      guard let first = pattern.first else { return name.isEmpty }
      if first == UInt8(ascii: "*") {
        return covers(pattern.dropFirst(), name) || (!name.isEmpty && covers(pattern, name.dropFirst()))
      }
      return name.first == first && covers(pattern.dropFirst(), name.dropFirst())
    }
    func texts(_ letters: String, _ length: Int) -> [String] {
      length == 0 ? [""] : texts(letters, length - 1).flatMap { text in [text] + letters.map { text + String($0) } }
    }
    let names = Set(texts("ab", 5))
    for text in Set(texts("ab*", 4)) where !text.isEmpty {
      let pattern = try #require(FilePattern(text))
      for name in names {
        #expect(pattern.covers(name) == covers(Array(text.utf8)[...], Array(name.utf8)[...]), "\(text) \(name)")
      }
    }
    for text in ["", "a/b", "/", "a\u{7}", "a\u{7f}", String(repeating: "a", count: 256)] {
      #expect(FilePattern(text) == nil, "\(text)")
    }
    // Bytes, not characters that look the same.
    #expect(FilePattern("\u{e4}")?.covers("a\u{308}") == false)
    #expect(FilePattern("\u{e4}") != FilePattern("a\u{308}"))
  }

  @Test("file patterns are about what is neither module nor serves a URI, and about nothing else")
  func fileScopes() throws {
    let module = try #require(ModuleIdentifier("com.example.a"))
    let uri = try #require(ModuleURI("https://a.com/x"))
    let scope = TrustScope(files: [try #require(FilePattern("*.deb"))])
    #expect(scope.covers(ArtifactRole(file: "tool.deb")))
    #expect(!scope.covers(ArtifactRole(file: "tool.dmg")))
    #expect(!scope.covers(.unnamed))
    let any = TrustScope(files: [.any])
    #expect(any.covers(ArtifactRole(file: "com.example.a")))
    #expect(!any.covers(ArtifactRole(module: module)))
    #expect(!any.covers(ArtifactRole(uri: uri)))
    #expect(!any.covers(.unnamed))
  }
}
