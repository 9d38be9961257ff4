import Testing

@testable import SignetNames

@Suite struct ModuleNameTests {
  @Test(
    "a module pattern covers what it says, label by label",
    arguments: [
      ("com.example.a", "com.example.a", true), ("com.example.a", "com.example.b", false),
      ("com.example.a", "com.example.a.b", false), ("com.example.*", "com.example.a", true),
      ("com.example.*", "com.example.a.b", false), ("com.example.*", "com.example", false),
      ("com.*.a", "com.x.a", true), ("com.*.a", "com.x.y.a", false), ("com.example.**", "com.example.a.b", true),
      ("com.example.**", "com.example.a", true), ("com.example.**", "com.example", false),
      ("com.example.**", "com.examples.a", false), ("**", "com.example", true),
      ("*.example.**", "org.example.x", true),
    ])
  func modules(pattern: String, module: String, covers: Bool) throws {
    let identifier = try #require(ModuleIdentifier(module))
    #expect(try #require(ModulePattern(pattern)).covers(identifier) == covers)
  }

  @Test(
    "what is no module pattern is none",
    arguments: [
      "", ".", "com.", ".com", "com..a", "Com.a", "com.exa mple", "com.**.a", "**.com", "com.a*", "***", "com.-a",
      "com.a-",
      "com.a/b", "com.ä", String(repeating: "a", count: 64), String(repeating: "a.", count: 128) + "a",
    ])
  func noModules(text: String) { #expect(ModulePattern(text) == nil) }

  @Test("an identifier has two labels or more, of lower-case letters, digits and hyphens")
  func identifiers() {
    #expect(ModuleIdentifier("com.example-2.a1")?.description == "com.example-2.a1")
    for text in ["com", "com.*", "**", "COM.example", "com.example.", "com.e_x", "com.\u{212A}"] {
      #expect(ModuleIdentifier(text) == nil)
    }
  }

  @Test("a slash at the end is for patterns alone, and so is a port that goes without saying")
  func spellings() {
    for text in [
      "https://a.com/", "https://a.com/x/", "https://a.com:443/x", "http://a.com:80", "http://:81", "http:///a",
    ] {
      #expect(ModuleURI(text) == nil)
    }
    #expect(ModuleURI("http://a.com:443") != nil)
    #expect(ModuleURI("https://a.com:80") != nil)
    #expect(ModuleURI("a1+-.://a.com/x") != nil)
    #expect(ModuleURI("1a://a.com/x") == nil)
  }

  @Test("a directory can be entered once it is unpacked, and a file is run if anybody might run it")
  func modes() {
    #expect(FileMode(permissions: 0o600).installed(isDirectory: true) == 0o755)
    #expect(FileMode(permissions: 0o600).installed(isDirectory: false) == 0o644)
    #expect(FileMode(permissions: 0o601).installed(isDirectory: false) == 0o755)
  }

  @Test("an identifier has at most 255 bytes")
  func longest() {
    func labels(_ counts: [Int]) -> String { counts.map { String(repeating: "a", count: $0) }.joined(separator: ".") }
    #expect(ModuleIdentifier(labels([63, 63, 63, 63])) != nil)
    #expect(ModuleIdentifier(labels([63, 63, 63, 62, 1])) == nil)
    #expect(ModuleIdentifier(labels([63, 64])) == nil)
  }
}
