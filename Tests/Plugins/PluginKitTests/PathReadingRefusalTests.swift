import PluginKit
import Testing

@Suite("URLs that are read by their path, and refusals") struct PathReadingRefusalTests {
  private func read(_ text: String, _ reading: PathReading = PathReading(), default scheme: String? = nil) throws
    -> PluginURL
  { try PluginURL(text, reading: reading, defaultScheme: scheme) }

  @Test("whoever names the host, or has the form scheme:rest, is asked first, and a refused module keeps its URLs")
  func named() throws {
    let router = Router(accepting: .all)
    let module = ModuleOwner.module("com.example.m")
    try router.register(RoutePattern("*://*"), owner: .host) { _ in "path" }
    for scheme in ["https", "tel", "pay"] { router.setFallsBack(true, scheme: scheme) }
    let urls = ["https://a.b/x", "tel:1", "pay:///x", "pay:/x"]
    let patterns = try ["https://a.b/*", "tel:*", "pay:///x"].map { try RoutePattern($0) }
    for url in urls { #expect(try router.open(read(url)) as? String == "path") }
    for pattern in patterns { try router.register(pattern, owner: module) { _ in "named" } }
    for url in urls { #expect(try router.open(read(url)) as? String == "named", "\(url)") }
    router.removeAll(ownedBy: module)
    for (named, declared) in [(patterns, []), ([], patterns)] {
      router.refuse(named, declared: declared, of: module, because: "x")
      for url in urls {
        expectPluginError(.routeModuleRefused) { try router.open(read(url)) }
        for scheme in ["", "other"] {
          expectPluginError(.routeModuleRefused) { try router.match(read(url, PathReading(scheme: scheme))) }
        }
      }
      #expect(try router.open(read("https://a.c/x")) as? String == "path")
    }
    // What the manifest gives to others below stays theirs.
    try router.register(RoutePattern("https://a.b/x"), owner: .module("com.example.other")) { _ in "other" }
    try router.refuse(
      [RoutePattern("https://a.b/*")], except: [RoutePattern("https://a.b/x")], of: module, because: "x")
    #expect(try router.open(read("https://a.b/x")) as? String == "other")
    expectPluginError(.routeModuleRefused) { try router.open(read("https://a.b/y")) }
    // A fragment alone names nobody.
    try router.register(RoutePattern("pay://#/x"), owner: .host) { _ in "fragment" }
    #expect(try router.open(read("pay:/#/x", PathReading(scheme: "other"))) as? String == "path")
  }

  @Test("a module that is refused while its URL is being routed is not passed over")
  func refusedMeanwhile() throws {
    let router = Router(accepting: .all)
    let module = ModuleOwner.module("com.example.m")
    let pattern = try RoutePattern("https://a.b/x")
    try router.register(RoutePattern("*://x"), owner: .host, options: RouteOptions(equals: .inOrder)) { _ in
      router.refuse([pattern], of: module, because: "x")
      throw RouteDeclined()
    }
    try router.register(RoutePattern("*://x"), owner: .host, options: RouteOptions(equals: .inOrder)) { _ in
      Issue.record("it was asked")
      return nil
    }
    expectPluginError(.routeModuleRefused) { try router.open(read("https://a.b/x")) }
  }
}
