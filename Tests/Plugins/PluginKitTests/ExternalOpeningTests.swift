import PluginKit
import Testing

@Suite("URLs that no module serves") struct ExternalOpeningTests {
  private let switchboard = Switchboard()

  /// What happens to a URL, as a host finds out: the router first.
  private func outcome(_ url: String) -> String {
    do throws(PluginError) {
      _ = try switchboard.router.match(url)
      return "served"
    } catch {
      switch switchboard.outcome(of: url, after: error) {
      case .web(let url): return "web \(url)"
      case .external(let url): return "external \(url)"
      case .refused(let error): return "\(error.code)"
      }
    }
  }

  @Test("SM14: web pages are shown on the web, files only below the host's folders, and other schemes are not found")
  func web() {
    #expect(outcome("https://github.com/wequick/Small/issues") == "route.not-found", "nothing is a default")
    switchboard.externalOpening = ExternalOpening()
    #expect(
      outcome("https://github.com/wequick/Small/issues") == "web https://github.com/wequick/Small/issues")
    #expect(outcome("HTTP://example.com?q=1#f") == "web HTTP://example.com?q=1#f")
    #expect(outcome("file:///etc/passwd") == "external.refused")
    #expect(outcome("foo://x") == "route.not-found")
    switchboard.externalOpening = ExternalOpening(allowsWeb: false)
    #expect(outcome("https://github.com/wequick/Small/issues") == "external.refused")
  }

  @Test(
    "a file is below a folder part by part, by no way up and no encoding",
    arguments: [
      ("file:///srv/www/a/index.html", true), ("file://localhost/srv/www/a.html?x=1", true),
      ("FILE:///srv/www/%61.html", true), ("file:///srv/www", false), ("file:///srv/wwwx/a", false),
      ("file:///srv/www/../secret", false), ("file:///srv/www/%2e%2e/secret", false), ("file:///srv%2Fwww/a", false),
      ("file:///srv/www/a%2F..%2F..%2Fsecret", false), ("file:///srv/www//a", false),
      ("file://host/srv/www/a", false),
      ("file:///SRV/www/a", false), ("file:///srv/www/a%00.html", false), ("file:///srv\\www/a", false),
      ("file:///", false), ("file://srv/www/a", false), ("file:/srv/www/a/../b", false),
    ])
  func files(_ url: String, _ isAllowed: Bool) {
    switchboard.externalOpening = ExternalOpening(fileRoots: ["relative", "", "/srv/www/"])
    #expect(outcome(url).hasPrefix("web ") == isAllowed, "\(outcome(url))")
  }

  @Test("SM17: a scheme that nobody serves goes to another program, if the host's opener says so")
  func external() throws {
    let asked = Heard()
    for answer in [true, false] {
      switchboard.externalOpening = ExternalOpening { url in
        asked.add(url)
        return answer
      }
      for url in ["tel:1", "mailto:a@b.example", "other://x"] {
        #expect(outcome(url).hasPrefix("external ") == answer, "\(outcome(url))")
      }
    }
    #expect(asked.all.count == 6)
    switchboard.externalOpening = ExternalOpening { _ in true }
    for url in ["tel 1", ":1", "1tel:1", "tel:1\n", "tel:\u{0}", "no scheme", "ui\\x:1"] {
      #expect(!outcome(url).hasPrefix("external "), "\(url)")
    }
  }

  @Test("a scheme for which the host has routes is not opened by another program")
  func own() throws {
    switchboard.externalOpening = ExternalOpening { _ in true }
    let route = try switchboard.router.register(RoutePattern("app://page"), owner: .host) { _ in nil }
    #expect(outcome("app://other") == "route.not-found" && !outcome("app:other").hasPrefix("external"))
    #expect(outcome("tel:1") == "external tel:1")
    switchboard.router.remove(route)
    #expect(outcome("app://other") == "external app://other")
  }

  @Test("a scheme of a module is never opened by another program, loaded or refused")
  func reserved() throws {
    switchboard.externalOpening = ExternalOpening { _ in true }
    let declaration = try ModuleDeclaration(identifier: "com.example.m", routes: ["ui://m", "tel://calls/:id"])
    let context = switchboard.context(for: declaration)
    for url in ["tel://other", "TEL://other", "ui://other"] { #expect(outcome(url) == "route.not-found") }
    #expect(!outcome("tel:1").hasPrefix("external"))
    switchboard.removeAll(ownedBy: context.owner)
    #expect(outcome("tel:1") == "external tel:1" && outcome("ui://other") == "external ui://other")
    switchboard.refuse(routes: declaration.routes, of: context.owner, because: "signer.revoked")
    #expect(outcome("ui://other") == "route.not-found" && !outcome("tel:1").hasPrefix("external"))
    switchboard.accept(context.owner)
    #expect(outcome("ui://other") == "external ui://other")
  }

  @Test(
    "what belongs to a refused module is not reached on the web, however a browser would spell it",
    arguments: [
      "https://m.example.com/main", "http://m.example.com/main", "https://M.Example.com/main",
      "https://m.example.com./main", "https://m.example.com:443/main", "https://m.example.com:/main",
      "http://m.example.com:80/main", "https://m.example.com:0443/main", "https://m.example.com/main?x=1",
      "https://m.example.com/%6Dain", "https://user@m.example.com/main", "https://m%2eexample.com/main",
      "https://m.example.com/main/deeper", "https://m.example.com//main", "https://m.example.com/./main",
      "https://m.example.com/x/../main", "https://m.example.com\\main", "https:\\\\m.example.com/main",
      "https://m.example.com/ma\tin", "https://ｍ.example.com/main", "https:/m.example.com/main",
      "https:m.example.com/main", "https:///m.example.com/main", "https://m.example.com/main/",
    ])
  func refusedOnTheWeb(_ url: String) throws {
    switchboard.externalOpening = ExternalOpening { _ in true }
    switchboard.router.refuse(
      [try RoutePattern("https://m.example.com/main"), try RoutePattern("https://m.example.com/main/*")],
      of: .module("com.example.m"), because: "digest.mismatch")
    let result = outcome(url)
    #expect(!result.hasPrefix("web") && !result.hasPrefix("external "), "\(result)")
    #expect(outcome("https://m.example.com/other") == "web https://m.example.com/other")
    #expect(outcome("https://m.example.com:8443/main") == "web https://m.example.com:8443/main")
  }

  @Test("G4: a URL of a refused module is refused, never shown on the web, and never served by another module")
  func refusedModule() throws {
    switchboard.externalOpening = ExternalOpening { _ in true }
    let other = switchboard.context(
      for: try ModuleDeclaration(identifier: "com.example.other", routes: ["https://m.example.com/*"]))
    try other.register(route: "https://m.example.com/*") { _ in "other" }
    #expect(outcome("https://m.example.com/main") == "served")
    switchboard.router.refuse(
      [try RoutePattern("https://m.example.com/main")], of: .module("com.example.m"), because: "digest.mismatch")
    expectPluginError(.routeModuleRefused) { try switchboard.router.open("https://m.example.com/main") }
    #expect(outcome("https://m.example.com/main") == "route.module-refused")
    #expect(outcome("http://M.example.com:80/main") == "route.module-refused")
    #expect(try switchboard.router.open("https://m.example.com/else") as? String == "other")
  }

  @Test("a page of a loaded module is not shown on the web, when only the spelling of its host differs")
  func served() throws {
    switchboard.externalOpening = ExternalOpening()
    try switchboard.router.register(RoutePattern("https://m.example.com/main"), owner: .host) { _ in nil }
    #expect(outcome("https://m.example.com/main") == "served")
    #expect(outcome("https://M.example.com/main") == "route.not-found")
    // Nor is one that the host has for objects alone.
    var options = RouteOptions()
    options.uses = .object
    try switchboard.router.register(RoutePattern("https://m.example.com/object"), owner: .host, options: options) {
      _ in
      "object"
    }
    #expect(outcome("https://m.example.com/object") == "route.not-found")
    #expect(outcome("https://M.example.com/object") == "route.not-found")
    #expect(outcome("https://m.example.com/else") == "web https://m.example.com/else")
  }
}
