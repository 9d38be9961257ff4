import Foundation
import ModuleRegistry
import Signet
import SignetBase
import TestSupport
import Testing

@testable import RegistrySite
@testable import RegistryTestSupport

@Suite struct SiteFolderTests {
  private static let pages = [
    "index.html", "modules/com.example.codec.html", "modules/com.example.old.html", "modules/com.example.player.html",
    "publishers/example.html", "search.js", "site.css", "site.js",
  ]

  @Test("a site has a page for each module and publisher, and a second run writes nothing")
  func twice() throws {
    let fixture = try SiteFixture()
    let first = try fixture.write()
    #expect(first.written.sorted() == Self.pages && first.removed.isEmpty && first.faults.isEmpty)
    #expect(first.files == 8 && first.modules == 3 && first.publishers == 1)
    let before = try Self.pages.map { try FileManager.default.attributesOfItem(atPath: "\(fixture.path)/\($0)") }
    let second = try fixture.write()
    #expect(second.written.isEmpty && second.removed.isEmpty && second.files == 8)
    let after = try Self.pages.map { try FileManager.default.attributesOfItem(atPath: "\(fixture.path)/\($0)") }
    #expect(
      before.map { $0[.systemFileNumber] as? Int } == after.map { $0[.systemFileNumber] as? Int },
      "a file was replaced by itself")
    #expect(
      try fixture.folder.read("site/.signet-site")
        == Array(("signet site 1\n" + Self.pages.map { "\($0)\n" }.joined()).utf8))
  }

  @Test("the time of a run changes no byte, and another folder gets the same bytes")
  func deterministic() throws {
    let fixture = try SiteFixture()
    try fixture.write()
    let later = UnixTime(seconds: RegistryFixture.now.seconds + 3600)
    #expect(try fixture.write(at: later).written.isEmpty)
    let all = try Self.pages.map { try fixture.folder.read("site/\($0)") }
    try FileManager.default.removeItem(atPath: fixture.path)
    try fixture.write()
    #expect(try Self.pages.map { try fixture.folder.read("site/\($0)") } == all)
  }

  @Test("a withdrawal changes the pages that show the module, and no others")
  func changed() throws {
    let fixture = try SiteFixture()
    try fixture.write()
    try fixture.yank("com.example.codec", "1.2.3", "broken")
    let outcome = try fixture.write()
    #expect(
      outcome.written == [
        // The search and the lists name the state, and the module that requires this one has nothing that fits.
        "search.js", "index.html", "modules/com.example.codec.html", "modules/com.example.player.html",
        "publishers/example.html",
      ])
  }

  @Test("the pages of a removed publisher are removed, and files of others stay")
  func removed() throws {
    let fixture = try SiteFixture()
    try fixture.write()
    try fixture.folder.write("site/CNAME", Array("modules.example.com".utf8))
    try fixture.folder.write("site/modules/notes.html", Array("mine".utf8))
    try fixture.registry.registry.removePublisher("example")
    try fixture.registry.sign(fixture.registry.targets)
    try fixture.registry.refresh()
    let outcome = try fixture.write()
    #expect(
      outcome.removed == [
        "modules/com.example.codec.html", "modules/com.example.old.html", "modules/com.example.player.html",
        "publishers/example.html",
      ])
    #expect(outcome.modules == 0 && outcome.publishers == 0)
    #expect(try fixture.text("CNAME") == "modules.example.com")
    #expect(try fixture.text("modules/notes.html") == "mine")
    #expect(try fixture.text("index.html").contains("The registry offers no module."))
    #expect(try fixture.folder.listing() == ["site"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.path).sorted() == [
        ".signet-site", ".signet-site.lock", "CNAME", "index.html", "modules", "publishers", "search.js", "site.css",
        "site.js",
      ])
  }

  @Test("a file of somebody else in the way stops the run before anything is written")
  func inTheWay() throws {
    let fixture = try SiteFixture()
    try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: false)
    try fixture.folder.write("site/index.html", Array("mine".utf8))
    let error = expectError(.outputExists) { try fixture.write() }
    #expect(error?.object == "\(fixture.path)/index.html")
    #expect(try fixture.text("index.html") == "mine")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.path).sorted() == [
        ".signet-site.lock", "index.html",
      ])
  }

  @Test("no page is written through a link to another folder")
  func linked() throws {
    let fixture = try SiteFixture()
    try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: fixture.folder.file("other"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(fixture.path)/modules", withDestinationPath: fixture.folder.file("other"))
    expectError(.fileNotDirectory) { try fixture.write() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.file("other")).isEmpty)
  }

  @Test(
    "a list with a path that no site has is refused, and nothing is removed",
    arguments: [
      "../other", "modules/../../other", "/etc/passwd", "notes.txt", "modules/a/b.html", "other/a.html", ".html",
      "modules/.hidden.html", "modules/A.html", "modules/a\u{301}.html", "index.html\u{301}", "",
    ])
  func hostileList(_ path: String) throws {
    let fixture = try SiteFixture(isEmpty: true)
    try fixture.write()
    try fixture.folder.write("other", Array("mine".utf8))
    try fixture.folder.write("site/.signet-site", Array("signet site 1\nindex.html\n\(path)\n".utf8))
    let error = expectError(.repoSiteList) { try fixture.write() }
    #expect(error?.object == "\(fixture.path)/.signet-site")
    #expect(try fixture.folder.read("other") == Array("mine".utf8))
  }

  @Test(
    "a list of another form is refused",
    arguments: ["", "signet site 2\n", "signet site 1", "signet site 1\nindex.html"])
  func otherList(_ text: String) throws {
    let fixture = try SiteFixture(isEmpty: true)
    try fixture.write()
    try fixture.folder.write("site/.signet-site", Array(text.utf8))
    expectError(.repoSiteList) { try fixture.write() }
  }

  @Test("a page that somebody has changed, and a draft of a run that was killed, are replaced")
  func mended() throws {
    let fixture = try SiteFixture()
    try fixture.write()
    let page = try fixture.folder.read("site/index.html")
    try fixture.folder.write("site/index.html", Array("changed".utf8))
    try fixture.folder.write("site/.signet-site.new", Array("half".utf8))
    #expect(try fixture.write().written == ["index.html"])
    #expect(try fixture.folder.read("site/index.html") == page)
    #expect(!FileManager.default.fileExists(atPath: "\(fixture.path)/.signet-site.new"))
  }

  @Test("names of pages are small letters, digits and a digest for all else")
  func names() throws {
    #expect(try SitePath.publisher("tools-inc").text() == "publishers/tools-inc.html")
    for name in ["..", ".", "", "A", "a/b", "../../x", "a b", "ä", "a\u{301}", String(repeating: "n", count: 65)] {
      let path = try SitePath.publisher(name).text()
      #expect(path.utf8.starts(with: "publishers/sha256-".utf8) && path.utf8.count == 87, "\(name)")
      #expect(SitePath.isPath(path))
    }
    let label = String(repeating: "a", count: 63)
    let long = try #require(ModuleIdentifier("\(label).\(label).\(label).\(label.dropLast(1))"))
    #expect(try SitePath.module(long).text().utf8.starts(with: "modules/sha256-".utf8))
    #expect(try SitePath.module(RegistryFixture.player).text() == "modules/com.example.player.html")
  }
}
