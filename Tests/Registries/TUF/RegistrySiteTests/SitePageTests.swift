import Foundation
import ModuleCatalog
import ModuleRegistry
import ModuleResolver
import Signet
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import RegistrySite
@testable import RegistryTestSupport

@Suite struct SitePageTests {
  @Test("the page of a module says what a person wants to know")
  func module() throws {
    let fixture = try SiteFixture()
    try fixture.write(url: "https://modules.example.com/registry")
    let page = try fixture.text("modules/com.example.player.html")
    for part in [
      "<h1>com.example.player</h1>", "<strong>1.1.0</strong>, by ",
      "<a href=\"../publishers/example.html\">example</a>",
      "<code>source 'registry', 'https://modules.example.com/registry', modules: 'com.example.**'</code>",
      "<code>module 'com.example.player', '~&gt; 1.1'</code>",
      "The Modfile needs another source for it: <code>org.elsewhere.", "<code>camera</code>",
      "signed on <time datetime=", "<dt>Signed on</dt>",
      "<code>ui://player/settings/**</code>",
      "<code>com.example.playback</code>", "a host of version &gt;=2.0.0 &lt;3.0.0",
      "<a href=\"../modules/com.example.codec.html\"><code>com.example.codec</code></a> &gt;=1.0.0 &lt;2.0.0",
      "1.2.3 fits", "no fitting release here", "not in this registry", "<svg class=\"picture\" role=\"img\"",
      "<code class=\"key\">\(fixture.registry.publisher.publicKey.id)</code>",
      "<code>~ version 1.0.0 to 1.1.0</code>", "<code>+ permission camera</code>",
      "<code>+ route ui://player/settings/**</code>",
      "<code>+ requirement com.example.codec &gt;=1.0.0 &lt;2.0.0</code>", "<strong>Pages prove nothing.</strong>",
      "script-src 'none'",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("<script"))
    let codec = try fixture.text("modules/com.example.codec.html")
    #expect(codec.contains("Required by 1 module"))
    #expect(codec.contains("<a href=\"../modules/com.example.player.html\">"))
    // Without an address there is no source that a Modfile could name.
    try fixture.write()
    #expect(!(try fixture.text("modules/com.example.player.html").contains("modules.example.com")))
  }

  @Test("the page of a module shows the sources of its releases, and of which commit they are")
  func sources() throws {
    let fixture = try SiteFixture(isEmpty: true)
    try fixture.registry.push(fixture.registry.release())
    try fixture.registry.push(fixture.registry.release("1.1.0", 2, commit: RegistryFixture.otherCommit))
    try fixture.registry.push(fixture.registry.module("com.example.player", "1.2.0", 3))
    try fixture.write()
    let page = try fixture.text("modules/com.example.player.html")
    let sources = try fixture.registry.offers().index(of: RegistryFixture.player)?.releases.compactMap(\.source) ?? []
    #expect(sources.count == 2)
    for source in sources {
      #expect(page.contains("source.zip, \(source.archive.length) bytes"))
      #expect(page.contains("<code class=\"key\">\(source.archive.sha256.hex)</code>"))
      #expect(page.contains("<code class=\"key\">\(source.commit)</code>"))
    }
    let (first, second) = (RegistryFixture.commit, RegistryFixture.otherCommit)
    #expect(page.contains("<code>~ commit of the sources \(first) to \(second)</code>"))
    #expect(page.contains("<code>- commit of the sources \(second)</code>"))
  }

  @Test("the lines for a Modfile are ones, and accept the newest release")
  func modfile() throws {
    for (version, words) in [
      ("1.2.3", "~> 1.2"), ("0.3.1", "~> 0.3.1"), ("2.0.0-beta.1", ">= 2.0.0-beta.1"), ("1.0.0+build", "~> 1.0"),
      ("2.0.0-rc.1+x", ">= 2.0.0-rc.1"), ("0.0.1+a-b", "~> 0.0.1"),
    ] {
      let semantic = try #require(SemanticVersion(version))
      #expect(semantic.compatibleVersions == words)
    }
    let fixture = try SiteFixture()
    let content = try VerifiedRegistry(
      fixture.registry.folder.file("registry"), root: nil, at: RegistryFixture.now)
    let module = try #require(content.byIdentifier[RegistryFixture.player])
    let lines = ModfileLines(module, in: content, at: RegistryAddress("https://modules.example.com")).lines
    let modfile = try Modfile(Array(lines.map { "\($0)\n" }.joined().utf8))
    #expect(modfile.modules.map(\.identifier) == [module.identifier])
    #expect(modfile.sources.count == 1)
    for url in [
      "https://a'b", "javascript:alert(1)", "https://", "https:///x", "https://u@h", "https://h?q", "ftp://h",
    ] {
      #expect(RegistryAddress(url) == nil, "\(url)")
    }
  }

  @Test(
    "the source of a Modfile names what the module requires, and what that requires, and nothing else of its publishers"
  )
  func sourcesOfRequirements() throws {
    let fixture = try SiteFixture(isEmpty: true)
    let registry = fixture.registry
    let other = try PrivateKey.generate(.ed25519)
    try registry.add("other", ["org.other.**"], other)
    try registry.sign(registry.targets, other)
    try registry.refresh()
    func requiring(_ identifier: String) -> String {
      #", "requires": {"modules": [{"identifier": "\#(identifier)", "versions": ">=1.0.0"}]}"#
    }
    try registry.push(
      registry.module("org.other.codec", by: other, fields: requiring("org.other.base")),
      registry.module("org.other.base", by: other, fields: requiring("com.example.player")), by: "other", key: other)
    try registry.push(registry.module(fields: requiring("org.other.codec")))
    let content = try VerifiedRegistry(registry.folder.file("registry"), root: nil, at: RegistryFixture.now)
    let module = try #require(content.byIdentifier[RegistryFixture.player])
    let lines = ModfileLines(module, in: content, at: RegistryAddress("https://modules.example.com"))
    #expect(
      lines.lines.first
        == "source 'registry', 'https://modules.example.com', modules: ['com.example.**', 'org.other.base', 'org.other.codec']"
    )
    #expect(lines.missing.isEmpty && !lines.areIncomplete)
    #expect(try Modfile(Array(lines.lines.map { "\($0)\n" }.joined().utf8)).sources.count == 1)
  }

  @Test("a module that requires hundreds gets lines that are whole, and a sentence")
  func manyRequirements() throws {
    let fixture = try SiteFixture(isEmpty: true)
    let many = (0..<150).map { #"{"identifier": "org.other.m\#($0)", "versions": ">=1.0.0"}"# }
    try fixture.registry.push(
      fixture.registry.module(fields: #", "requires": {"modules": [\#(many.joined(separator: ","))]}"#))
    try fixture.write(url: "https://modules.example.com")
    let page = try fixture.text("modules/com.example.player.html")
    #expect(page.contains("modules: 'com.example.**'</code>"))
    #expect(page.contains("The module requires more modules than are named here."))
    #expect(page.contains("</code> and 90 more modules</p>"))
  }

  @Test("the page says what the spec of the newest release says, and its address is no link")
  func about() throws {
    let fixture = try SiteFixture(isEmpty: true)
    let path = try fixture.registry.module()
    let about = ReleaseAbout(
      summary: "plays <b>sounds</b>", homepage: "https://example.com/?a&b", license: "Apache-2.0")
    _ = try fixture.registry.registry.push(
      [FilesToPush(archive: path, about: about)], of: "example", signedBy: [fixture.registry.publisher],
      online: [fixture.registry.online])
    try fixture.write()
    let page = try fixture.text("modules/com.example.player.html")
    for part in [
      "<p>plays &lt;b&gt;sounds&lt;/b&gt;</p>", "<dt>Licence</dt>\n<dd>Apache-2.0</dd>",
      "<code class=\"key\">https://example.com/?a&amp;b</code>",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("href=\"https:"))
    #expect(try fixture.text("search.js").contains("plays \\u003cb\\u003esounds"))
    #expect(
      try fixture.text("publishers/example.html").contains(
        "<code class=\"snippet key\">\(fixture.registry.publisher.publicKey.line)</code>"))
  }

  @Test("a module whose releases are all withdrawn says why, and gives no line for a Modfile")
  func withdrawn() throws {
    let fixture = try SiteFixture()
    try fixture.write()
    let page = try fixture.text("modules/com.example.old.html")
    #expect(page.contains("<strong>All releases are withdrawn.</strong>"))
    #expect(!page.contains("class=\"snippet\""))
    #expect(try fixture.text("index.html").contains("<span class=\"badge bad\">withdrawn</span>"))
    // One release of several: the page is about the newest that is offered.
    try fixture.yank("com.example.player", "1.1.0", "loses settings")
    try fixture.write()
    let player = try fixture.text("modules/com.example.player.html")
    #expect(player.contains("<strong>1.0.0</strong>, by ") && player.contains("<dd>loses settings</dd>"))
    #expect(!player.contains("All releases are withdrawn."))
  }

  @Test("texts of publishers are escaped in pages and in the data of the search")
  func hostile() throws {
    let fixture = try SiteFixture()
    try fixture.write()
    let page = try fixture.text("modules/com.example.old.html")
    #expect(
      page.contains(
        "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"))
    #expect(page.contains("\\u{202e}dna\\u{2028}&amp; nnn"))
    for file in ["index.html", "modules/com.example.old.html", "search.js"] {
      let text = try fixture.text(file)
      #expect(
        !text.contains("<img") && !text.contains("<script>") && !text.contains("</script><script>alert"), "\(file)")
      #expect(!text.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{2028}" }, "\(file)")
    }
  }

  @Test(
    "a literal of the search's data is ASCII, and ends neither itself nor a script",
    arguments: [
      ("</script>", #""\u003c/script\u003e""#), ("<!--", #""\u003c!--""#), ("a\"b\\c", #""a\u0022b\u005cc""#),
      ("a&b", #""a\u0026b""#), ("\u{2028}", #""\u005cu{2028}""#), ("\n", #""\u005cu{a}""#),
      ("家", #""\u5bb6""#), ("😀", #""\ud83d\ude00""#), ("<\u{338}", #""\u003c\u0338""#), ("`${x}`'", "\"`${x}`'\""),
    ])
  func literal(_ text: String, _ expected: String) {
    #expect(SearchData.literal(text).utf8.elementsEqual(expected.utf8))
  }

  @Test("an index that is none is left out and told, and all else is shown")
  func faults() throws {
    let fixture = try SiteFixture()
    try fixture.offer("{}", of: "com.example.broken")
    let outcome = try fixture.write()
    #expect(outcome.faults.map(\.code) == [.repoIndex])
    #expect(outcome.faults.map(\.object) == ["com/example/broken/releases/index.json"])
    #expect(outcome.modules == 3)
    #expect(!outcome.written.contains("modules/com.example.broken.html"))
  }

  @Test("what was not verified is not shown: a changed index, expired metadata, another root")
  func unverified() throws {
    let fixture = try SiteFixture()
    let registry = fixture.registry.folder.file("registry")
    let targets = "\(registry)/targets/com/example/codec/releases"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: targets).first)
    let index = try Data(contentsOf: URL(fileURLWithPath: "\(targets)/\(name)"))
    let changed = Data(String(decoding: index, as: UTF8.self).replacingOccurrences(of: "1.2.3", with: "6.6.6").utf8)
    #expect(changed != index)
    try changed.write(to: URL(fileURLWithPath: "\(targets)/\(name)"))
    let outcome = try fixture.write()
    #expect(outcome.faults.map(\.code) == [.tufHashMismatch] && outcome.modules == 2)
    #expect(!(try fixture.text("index.html").contains("6.6.6")))
    try FileManager.default.removeItem(atPath: fixture.path)
    expectError(.tufExpired) {
      try fixture.write(at: UnixTime(seconds: RegistryFixture.now.seconds + 8 * 86_400))
    }
    let other = try RegistryFixture()
    let root = try other.folder.read("registry/metadata/1.root.json")
    expectError(.tufThreshold) { try fixture.write(root: root) }
    #expect(!FileManager.default.fileExists(atPath: fixture.path))
    let right = try fixture.registry.folder.read("registry/metadata/1.root.json")
    #expect(try fixture.write(root: right).modules == 2)
  }

  @Test("a folder that is no registry is refused")
  func noRegistry() throws {
    let folder = try TemporaryFolder()
    for path in [folder.path, folder.file("missing")] {
      let error = expectError(.tufNoRepository) {
        _ = try RegistrySite(of: path, root: nil, address: nil).write(
          to: folder.file("site"), at: RegistryFixture.now)
      }
      #expect(error?.object == path)
    }
    #expect(try folder.listing().isEmpty)
  }
}
