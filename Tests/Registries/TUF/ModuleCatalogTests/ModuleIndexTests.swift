import Foundation
import Signet
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import ModuleCatalog
@testable import ModuleRegistry
@testable import RegistryTestSupport

@Suite struct ModuleIndexTests {
  private static func release(
    _ sequence: Int, module: String = "com.example.player", name: String = "module.zip",
    digest: String = String(repeating: "ab", count: 32), more: String = ""
  ) -> String {
    """
    {"archive":{"length":9,"name":"\(name)","sha256":"\(digest)"},"module":{"identifier":"\(module)",\
    "sequence":\(sequence),"version":"1.\(sequence).0"},"signers":["SHA256:x"]\(more)}
    """
  }

  private static func text(_ releases: String, identifier: String = "com.example.player", more: String = "") -> String
  {
    #"{"identifier":"\#(identifier)","releases":[\#(releases)],"version":1\#(more)}"#
  }

  private func read(_ text: String) throws -> ModuleIndex {
    try ModuleIndex(json: Array(text.utf8), of: RegistryFixture.player)
  }

  @Test("an index has one text")
  func roundTrip() throws {
    let player = try RegistryFixture.player
    let text = Self.text(
      [
        Self.release(
          1,
          more:
            #","about":{"homepage":"https://a.example","license":"MIT","summary":"plays <b>"},"signedAt":"2027-01-31T12:00:00Z","yanked":"家 \" <b>""#
        ),
        Self.release(
          7, name: "module.tar",
          more:
            #","bundles":[{"length":3,"name":"module.tar.sigstore.json","sha256":"\#(String(repeating: "0", count: 64))"}]"#
        ),
      ].joined(separator: ","))
    let index = try read(text)
    #expect(index.releases.map(\.sequence) == [1, 7] && index.unreadable.isEmpty)
    #expect(index.releases.map(\.yanked) == ["家 \" <b>", nil])
    #expect(index.releases[1].bundles.map(\.length) == [3])
    #expect(
      index.releases.map(\.about) == [
        ReleaseAbout(summary: "plays <b>", homepage: "https://a.example", license: "MIT"), nil,
      ])
    #expect(index.releases.map { $0.signedAt.map { "\($0)" } } == ["2027-01-31T12:00:00Z", nil])
    #expect(
      index.releases.map(\.archivePath) == [
        "com/example/player/1.1.0/module.zip", "com/example/player/1.7.0/module.tar",
      ])
    let again = try ModuleIndex(json: index.canonicalBytes(), of: player)
    #expect(try again.canonicalBytes() == index.canonicalBytes())
    #expect(try read(Self.text("")).releases.isEmpty)
  }

  @Test(
    "a text that is no index of the module is refused as a whole",
    arguments: [
      "", "[]", "{}", text("", identifier: "com.example.other"), text("", more: #","x":1"#),
      text(release(1, module: "com.example.other")), text([release(2), release(1)].joined(separator: ",")),
      text([release(1), release(1)].joined(separator: ",")),
      text([release(1), release(2).replacingOccurrences(of: "1.2.0", with: "1.1.0+b")].joined(separator: ",")),
      text("").replacingOccurrences(of: #""version":1"#, with: #""version":2"#), text("") + "x",
      String(repeating: "[", count: 100_000),
    ])
  func refused(_ text: String) {
    let error = expectError(.repoIndex) { _ = try read(text) }
    #expect(error?.object == "com/example/player/releases/index.json" && error?.cause is SignetError)
  }

  @Test(
    "a release that cannot be read is left out, and the others are offered",
    arguments: [
      release(2, more: #","new":true"#), release(2, more: #","about":{"summary":""}"#),
      release(2, more: #","about":{"author":"x"}"#), release(2, more: #","about":[]"#),
      release(2, more: #","about":{"license":"\#(String(repeating: "x", count: 2001))"}"#),
      release(2, more: #","signedAt":"yesterday""#), release(2, name: "../module.zip"),
      release(2, name: "module.zip/x"),
      release(2, name: "other.zip"), release(2, name: ""), release(2, name: "module.ZIP"), release(2, digest: "ab"),
      release(2, digest: String(repeating: "AB", count: 32)), release(0), release(2, module: "Com.Example"), "{}",
      release(2).replacingOccurrences(of: ":9", with: ":0"),
      release(2).replacingOccurrences(of: "1.2.0", with: "1.2"),
      release(2, more: #","bundles":[{"length":3,"name":"x","sha256":""}]"#),
    ])
  func unreadable(_ release: String) throws {
    let index = try read(Self.text([Self.release(1), release, Self.release(3)].joined(separator: ",")))
    #expect(index.releases.map(\.sequence) == [1, 3])
    #expect(index.unreadable.count == 1)
    // Whoever writes it would lose that release.
    expectError(.repoIndex) { _ = try index.canonicalBytes() }
  }

  @Test("the path of an index is that of one module")
  func paths() throws {
    let player = try RegistryFixture.player
    #expect(RegistryLayout.module(ofIndex: "com/example/player/releases/index.json") == player)
    for path in [
      "releases/index.json", "com/releases/index.json", "com/example/player/index.json",
      "com/example/releases/INDEX.json",
      "com/example//releases/index.json", "com/Example/player/releases/index.json",
      "/com/example/releases/index.json",
      "com/example.player/releases/index.json", "com/exam\u{301}ple/releases/index.json",
      "com/example/releases/\u{301}index.json",
    ] {
      #expect(RegistryLayout.module(ofIndex: path) == nil, "\(path)")
    }
    // A module whose last label is the folder's name is another module.
    #expect(
      RegistryLayout.module(ofIndex: "com/example/releases/releases/index.json")?.description
        == "com.example.releases")
  }

  @Test(
    "whoever refreshes the registry publishes no index in which a release has changed or is gone",
    arguments: ["sha256", "removed", "module", "kept"])
  func replacement(_ change: String) throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let old = try fixture.index()
    var text = old
    let digest = try #require(try fixture.registry.releases().first?.release.archive.sha256.hex)
    switch change {
    case "sha256": text = text.replacingOccurrences(of: digest, with: String(repeating: "0", count: 64))
    case "removed": text = Self.text("")
    case "module": text = text.replacingOccurrences(of: #""resources":["a"]"#, with: #""resources":["b"]"#)
    default: text = text.replacingOccurrences(of: #""releases":["#, with: #""releases": ["#)
    }
    #expect(text != old)
    try fixture.draftIndex(text, signedBy: fixture.publisher)
    let publication = try fixture.refresh()
    #expect(publication.waiting.map(\.reason.code) == (change == "kept" ? [] : [.repoVersionTaken]))
    #expect(publication.published == (change == "kept" ? ["example"] : []))
    #expect(try fixture.offers().index(of: player)?.releases.map(\.archive.sha256.hex) == [digest])
  }

  @Test("a thief of a publisher's key takes nothing out of the registry, nor changes it while bins are made or ended")
  func kept() throws {
    let fixture = try RegistryFixture()
    fixture.registry.mostTargets = 12
    func draft(_ most: Int, _ change: (inout RoleTargets) throws -> Void) throws {
      try fixture.draft(signedBy: fixture.publisher, dividedAbove: most, change)
    }
    func refused(_ most: Int, _ change: (inout RoleTargets) throws -> Void) throws {
      try draft(most, change)
      let publication = try fixture.refresh()
      #expect(publication.published.isEmpty)
      #expect(Set(publication.waiting.map(\.reason.code)) == [.tufTargetChanged])
      for role in try fixture.registry.folder.pendingRoles() { try fixture.registry.folder.dropPending(role) }
    }
    let paths = ["com/example/m1/1.0.0/module.zip", "com/example/m1/releases/index.json"]
    let other = TargetFile(path: paths[0], length: 1, hashes: try FileHashes(of: [1]))
    for number in 0..<3 { try fixture.push(fixture.module("com.example.m\(number)")) }
    for path in paths { try refused(1000) { try $0.remove(path) } }
    try refused(1000) { try $0.insert(other) }
    // The targets go into bins, and out of them.
    try refused(2) { try $0.insert(other) }
    try refused(2) { try $0.remove(paths[0]) }
    try draft(2) { try $0.renew() }
    #expect(try fixture.refresh().published.count > 2)
    try refused(2) { try $0.insert(other) }
    try refused(2) { try $0.remove(paths[1]) }
    try refused(1000) { try $0.insert(other) }
    try refused(1000) { try $0.remove(paths[0]) }
    try draft(1000) { try $0.renew() }
    #expect(try fixture.refresh().published == ["example"])
    #expect(try fixture.registry.releases().count == 3)
    #expect(try fixture.registry.check().faults.isEmpty)
  }

  @Test("verify tells an index that clients cannot use")
  func faults() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    #expect(try fixture.registry.indexFaults().isEmpty)
    let more = Self.text(Self.release(1, module: "com.example.more"), identifier: "com.example.more")
    for (module, text) in [("com.example.other", "{}"), ("com.example.more", more)] {
      try fixture.draftIndex(text, of: module, signedBy: fixture.publisher, continuing: .shown)
    }
    try fixture.refresh()
    let faults = try fixture.registry.indexFaults()
    #expect(faults.map(\.code) == [.repoIndex, .repoIndex])
    #expect(faults.map(\.object) == ["com/example/more/1.1.0/module.zip", "com/example/other/releases/index.json"])
    #expect(try fixture.registry.check().faults.isEmpty)
  }

  @Test("an index with thousands of releases that cannot be read takes no more work than one that can")
  func manyUnreadable() throws {
    func seconds() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec
    }
    let releases = (1...4000).map { Self.release($0, more: #","later":1"#) }
    let text = Self.text(releases.joined(separator: ","))
    let start = seconds()
    #expect(try read(text).unreadable.count == 4000)
    // It is less than a second; with the columns of each it was minutes.
    #expect(seconds() - start < 20)
  }
}
