import Foundation
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import SignetTUF
import TestSupport
import Testing

@testable import ModuleCatalog
@testable import ModuleRegistry
@testable import RegistryTestSupport

@Suite struct SourcePushTests {
  @Test("sources are offered with the module, and both provenances, and the commit that they name")
  func push() throws {
    let fixture = try RegistryFixture()
    let files = try fixture.release()
    #expect(try fixture.push(files).map(\.wasThere) == [false])
    let offers = try fixture.offers()
    let release = try #require(try offers.index(of: RegistryFixture.player)?.releases.first)
    let source = try #require(release.source)
    #expect(source.commit == RegistryFixture.commit)
    #expect(
      release.files.map(\.name) == [
        "module.zip", "module.zip.sigstore.json", "source.zip", "source.zip.provenance.sigstore.json",
        "module.zip.provenance.sigstore.json",
      ])
    for (file, path) in [
      (source.archive, files.source ?? ""),
      (source.provenance, ProvenancePredicate.place(beside: files.source ?? "")),
      (source.moduleProvenance, ProvenancePredicate.place(beside: files.archive)),
    ] {
      let place = fixture.folder.file("got")
      try? FileManager.default.removeItem(atPath: place)
      try offers.download(file, of: release, to: place)
      #expect(try fixture.folder.read("got") == Array(Data(contentsOf: URL(fileURLWithPath: path))), "\(file.name)")
    }
    #expect(try fixture.registry.check().faults.isEmpty)
    // The same again changes nothing, with and without the sources.
    #expect(try fixture.push(files).map(\.wasThere) == [true])
    #expect(try fixture.push(FilesToPush(archive: files.archive)).map(\.wasThere) == [true])
  }

  @Test("a version keeps its sources for ever, and gets none later")
  func immutable() throws {
    let fixture = try RegistryFixture()
    let files = try fixture.release()
    try fixture.push(FilesToPush(archive: files.archive))
    expectError(.repoVersionTaken) { try fixture.push(files) }
    let second = try fixture.release("1.1.0", 2)
    try fixture.push(second)
    let sources = try fixture.sourceArchive([
      "source/module.json": fixture.description("1.1.0", 2), "source/Player.h": "changed",
    ])
    try fixture.provenance(of: sources, RegistryFixture.commit)
    expectError(.repoVersionTaken) { try fixture.push(FilesToPush(archive: second.archive, source: sources)) }
    // A stolen key drafts another index, and whoever refreshes does not publish it.
    let old = try fixture.index()
    let changed = old.replacingOccurrences(of: RegistryFixture.commit, with: RegistryFixture.otherCommit)
    #expect(old != changed)
    try fixture.draftIndex(changed, signedBy: fixture.publisher)
    let error = expectError(.repoVersionTaken) {
      if let refusal = try fixture.refresh().waiting.first { throw refusal.reason }
    }
    #expect(error?.found?.contains(RegistryFixture.otherCommit) ?? false, "\(String(describing: error))")
  }

  @Test("a module that was built from another commit than its sources is not published")
  func otherCommit() throws {
    let fixture = try RegistryFixture()
    let error = expectError(.repoOtherCommit) {
      try fixture.push(fixture.release(moduleCommit: RegistryFixture.otherCommit))
    }
    #expect(error?.expected == "\(RegistryFixture.commit) of https://example.com/player.git")
    #expect(error?.found == "\(RegistryFixture.otherCommit) of https://example.com/player.git")
    let files = try fixture.release()
    try fixture.provenance(of: files.archive, RegistryFixture.commit, repository: "https://example.com/fork.git")
    expectError(.repoOtherCommit) { try fixture.push(files) }
    #expect(try fixture.registry.releases().isEmpty)
  }

  @Test("a provenance must be there, be the publisher's, be about the bytes, and name one commit")
  func provenance() throws {
    let fixture = try RegistryFixture()
    let files = try fixture.release()
    let source = try #require(files.source)
    for path in [source, files.archive] {
      let place = ProvenancePredicate.place(beside: path)
      let kept = try Data(contentsOf: URL(fileURLWithPath: place))
      try FileManager.default.removeItem(atPath: place)
      let error = expectError(.repoNoProvenance) { try fixture.push(files) }
      #expect(error?.object == place)
      try fixture.provenance(of: path, RegistryFixture.commit, by: PrivateKey.generate(.ed25519))
      var cause = expectError(.repoUnverified) { try fixture.push(files) }?.cause as? SignetError
      #expect(cause?.code == .signerUntrusted)
      try fixture.provenance(of: path, RegistryFixture.commit, digest: Digest.of([2], .sha256))
      cause = expectError(.repoUnverified) { try fixture.push(files) }?.cause as? SignetError
      #expect(cause?.code == .digestMismatch)
      try fixture.provenance(of: path, "main")
      expectError(.repoProvenance) { try fixture.push(files) }
      try kept.write(to: URL(fileURLWithPath: place))
    }
    try fixture.push(files)
  }

  @Test("what is no archive of the module's sources is refused")
  func archives() throws {
    let fixture = try RegistryFixture()
    let files = try fixture.release()
    func push(_ source: String) throws {
      try fixture.provenance(of: source, RegistryFixture.commit)
      try fixture.push(FilesToPush(archive: files.archive, source: source))
    }
    let description = fixture.description()
    for (entries, links) in [
      (["module.json": description], [:]), (["source/a": "b"], [:]),
      (["source/module.json": description, "sources/a": ""], [:]),
      (["source/module.json": description, "a": ""], [:]), (["source/module.json": "{}"], [:]),
      (["source/module.json": description], ["source/link": "module.json"]),
    ] as [([String: String], [String: String])] {
      expectError(.sourceMalformed, "\(entries) \(links)") {
        try push(fixture.sourceArchive(entries, links: links))
      }
    }
    expectError(.sourceMalformed) { try push(fixture.folder.write("text", Array("no archive".utf8))) }
    expectError(.sourceOtherModule) {
      try push(fixture.sourceArchive(["source/module.json": fixture.description("1.0.0", 2)]))
    }
    expectError(.sourceOtherModule) {
      try push(fixture.sourceArchive(["source/module.json": fixture.description("1.0.0+b", 1)]))
    }
    #expect(try fixture.registry.releases().isEmpty)
  }

  @Test(
    "an index whose sources are not as they should be loses the release, and no other",
    arguments: [
      (#""commit":"\#(RegistryFixture.commit)""#, #""commit":"main""#),
      (#""commit":"\#(RegistryFixture.commit)""#, #""commit":"\#(RegistryFixture.commit.uppercased())""#),
      (#""commit":"\#(RegistryFixture.commit)""#, #""commit":"\#(RegistryFixture.commit)","more":1"#),
      (#""name":"source.zip""#, #""name":"module.zip""#), ("source.zip.provenance", "module.zip.provenance"),
      (#""moduleProvenance""#, #""otherProvenance""#), (#""provenance""#, #""provenances""#),
    ])
  func index(_ from: String, _ to: String) throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    try fixture.push(fixture.release("1.1.0", 2))
    let text = try fixture.index()
    let index = try ModuleIndex(json: Array(text.utf8), of: RegistryFixture.player)
    #expect(index.releases.map(\.sequence) == [1, 2] && index.unreadable.isEmpty)
    #expect(try String(decoding: index.canonicalBytes(), as: UTF8.self) == text)
    let changed = text.replacingOccurrences(of: from, with: to)
    #expect(changed != text)
    let other = try ModuleIndex(json: Array(changed.utf8), of: RegistryFixture.player)
    #expect(other.releases.map(\.sequence) == [1] && other.unreadable.count == 1)
  }
}
