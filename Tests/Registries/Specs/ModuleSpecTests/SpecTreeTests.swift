import Signet
import SignetBase
import TestSupport
import Testing

@testable import ModuleSpec

@Suite struct SpecTreeTests {
  private func spec(_ name: String, _ version: String) -> [UInt8] {
    Array("{\"name\":\"\(name)\",\"version\":\"\(version)\"}".utf8)
  }

  private func tree(_ items: [SpecTree.Item], _ texts: [[UInt8]] = []) throws -> SpecTree {
    try SpecTree(items, of: "shelf") { (_) throws(SignetError) in texts }
  }

  private func file(_ path: String, _ size: Int = 10) -> SpecTree.Item {
    SpecTree.Item(path: Array(path.utf8), kind: .file(size: size))
  }

  private func folder(_ path: String) -> SpecTree.Item { SpecTree.Item(path: Array(path.utf8), kind: .folder) }

  @Test("PO1: GADesignNetwork 0.1.0 and 0.1.1 are listed; a README and dot folders are left out")
  func listed() throws {
    let items = [
      file("README.md"), file("LICENSE", 1 << 40), folder(".git"), folder(".git/x"), file(".git/x/1.0"),
      folder("GADesignNetwork"), file("GADesignNetwork/README"), folder("GADesignNetwork/.old"),
      folder("GADesignNetwork/0.1.1"), file("GADesignNetwork/0.1.1/GADesignNetwork.modspec.json"),
      file("GADesignNetwork/0.1.1/notes.txt", 1 << 40), folder("GADesignNetwork/0.1.0"),
      file("GADesignNetwork/0.1.0/GADesignNetwork.modspec.json"),
      file("GADesignNetwork/0.1.0/GADesignNetwork.modspec.json.sigstore.jsonl"),
      file("GADesignNetwork/0.1.0/GADesignNetwork.modspec.json.sigstore.json"),
    ]
    let found = try tree(
      items,
      [
        spec("GADesignNetwork", "0.1.0"), Array("bundle".utf8), Array("bundles".utf8),
        spec("GADesignNetwork", "0.1.1"),
      ])
    #expect(found.releases.map { "\($0.name) \($0.version)" } == ["GADesignNetwork 0.1.0", "GADesignNetwork 0.1.1"])
    #expect(found.releases.map(\.bundles.count) == [2, 0])
    #expect(
      try found.releases[0].bundles.map { String(decoding: try $0.bytes(in: 0..<$0.size), as: UTF8.self) } == [
        "bundle", "bundles",
      ])
  }

  @Test(
    "PO1: a folder that is not a version is an error that names it",
    arguments: ["1.0", "v1.0.0", "01.0.0", "latest", "1.0.0 ", "1.0.0.0"])
  func version(_ name: String) {
    for items in [[folder("A"), folder("A/\(name)")], [file("A/\(name)/A.modspec.json")]] {
      let error = expectError(.specRepositoryVersion) { _ = try tree(items) }
      #expect(error?.object == "shelf/A/\(name)" && error?.found == name)
    }
  }

  @Test("what no repository of specs has is refused, with its path")
  func refused() {
    func refuse(_ code: SignetError.Code, _ items: [SpecTree.Item], _ texts: [[UInt8]] = [], object: String) {
      let error = expectError(code, "\(object)") { _ = try tree(items, texts) }
      #expect(error?.object == object)
    }
    refuse(.specRepositorySpec, [folder("A/1.0.0")], object: "shelf/A/1.0.0")
    refuse(.specRepositorySpec, [file("A/1.0.0/a.modspec.json")], object: "shelf/A/1.0.0")
    let path = "A/1.0.0/A.modspec.json"
    for text in [spec("B", "1.0.0"), spec("A", "1.0.1"), spec("A", "1.0.0+b")] {
      refuse(.specRepositorySpec, [file(path)], [text], object: "shelf/\(path)")
    }
    refuse(.specRepositoryLink, [SpecTree.Item(path: Array("A".utf8), kind: .other)], object: "shelf/A")
    refuse(.specRepositoryLink, [SpecTree.Item(path: Array(path.utf8), kind: .other)], object: "shelf/\(path)")
    refuse(.specRepositoryName, [folder("a b")], object: "shelf/a b")
    refuse(.specRepositoryName, [file("a b/README")], object: "shelf/a b/README")
    refuse(.specRepositoryName, [folder("A/\u{202e}1.0.0")], object: "shelf/A/\u{202e}1.0.0")
    let long = String(repeating: "n", count: 241)
    refuse(.specRepositoryName, [folder(long)], object: "shelf/\(long)")
    expectError(.specRepositoryName) { _ = try tree([SpecTree.Item(path: [0xff, 0x2f, 0x41], kind: .folder)]) }
    expectError(.specMalformed) { _ = try tree([file(path)], [Array("{".utf8)]) }
  }

  @Test("for a Modfile a spec that cannot be read takes nothing from the others")
  func leftOut() throws {
    var leftOut: [SignetError] = []
    let items = [file("A/1.0.0/A.modspec.json"), file("B/1.0.0/B.modspec.json"), folder("C/1.0.0")]
    let tree = try SpecTree(items, of: "shelf", leavingOut: { leftOut.append($0) }) { (_) throws(SignetError) in
      [Array(#"{"name":"A","version":"1.0.0","new":1}"#.utf8), spec("B", "1.0.0")]
    }
    #expect(tree.releases.map(\.name) == ["B"])
    #expect(leftOut.map(\.code) == [.specRepositorySpec, .specUnknownField])
    #expect(leftOut.map(\.object) == ["shelf/C/1.0.0", "shelf/A/1.0.0/A.modspec.json: line 1, column 37, spec.new"])
  }

  @Test("for a Modfile what does not belong into a repository takes nothing from the specs")
  func stray() throws {
    var leftOut: [SignetError] = []
    let stray = [
      file("Foo/1.0/Foo.modspec.json"), SpecTree.Item(path: Array("B/link".utf8), kind: .other), folder("a b"),
      file("D/1.0.0/D.modspec.json", ModuleSpec.sizeLimit + 1),
    ]
    let items = stray + [file("B/1.0.0/B.modspec.json")]
    func read(_ items: [SpecTree.Item]) throws -> SpecTree {
      leftOut = []
      return try SpecTree(items, of: "shelf", leavingOut: { leftOut.append($0) }) { (_) throws(SignetError) in
        [spec("B", "1.0.0")]
      }
    }
    #expect(try read(items).releases.map(\.name) == ["B"])
    #expect(
      leftOut.map(\.code) == [
        .specRepositoryVersion, .specRepositoryLink, .specRepositoryName, .specRepositoryBounds,
      ])
    for item in stray { #expect(throws: SignetError.self) { _ = try tree([item]) } }
    // Somebody may add very many.
    let many = (0..<100).map { file("Foo/v\($0)/Foo.modspec.json") }
    #expect(try read(many + items.suffix(1)).releases.map(\.name) == ["B"])
    #expect(leftOut.count == SpecTree.leftOutLimit + 1 && leftOut.last?.found == "80 more")
    let files = (0...SpecTree.itemLimit).map { file("README\($0)") }
    expectError(.specRepositoryBounds) { _ = try read(files) }
  }

  @Test("sizes and numbers are bounded before anything is read")
  func bounds() throws {
    let (spec, bundle) = ("A/1.0.0/A.modspec.json", "A/1.0.0/A.modspec.json.sigstore.json")
    expectError(.specRepositoryBounds) { _ = try tree([file(spec, ModuleSpec.sizeLimit + 1)]) }
    for bundle in [bundle, bundle + "l"] {
      expectError(.specRepositoryBounds) { _ = try tree([file(spec), file(bundle, SpecTree.bundleLimit + 1)]) }
    }
    let large = (0...256).map { file("A/1.0.\($0)/A.modspec.json", 1 << 20) }
    expectError(.specRepositoryBounds) { _ = try tree(large) }
    #expect(try tree(Array(large.prefix(256))).releases.isEmpty)
    let many = (0..<SpecTree.itemLimit).map { file("README\($0)") }
    #expect(try tree(many + [file(".x")]).releases.isEmpty)
    expectError(.specRepositoryBounds) { _ = try tree(many + [file("y")]) }
  }

  @Test(
    "an address is one of a protocol that nobody on the way can change, and has no secret",
    arguments: [
      ("https://example.com/s.git", true), ("ssh://git@example.com/s", true), ("file:///srv/s.git", true),
      ("http://example.com/s", false), ("git://example.com/s", false), ("ext::sh -c x", true),
      ("ext::sh://x", false), ("https://a:b@example.com/s", false), ("https://example.com/s?t=b", false),
      ("ssh://-oProxyCommand=x/y", false), ("file://host/s", false), ("FILE:///s", false), ("a\u{7}", false),
      ("", false),
    ])
  func place(_ text: String, _ isSound: Bool) throws {
    guard isSound else {
      let error = expectError(.specRepositoryPlace) { _ = try SpecPlace(text) }
      #expect(error.map { !"\($0)".contains("a:b") } == true)
      return
    }
    let place = try SpecPlace(text)
    #expect(try SpecPlace(line: Array(place.line.utf8), "place").line == place.line)
    // What has no scheme is a folder, whatever git would make of it.
    if case .folder = place { #expect(!text.contains("://")) } else { #expect(text.contains("://")) }
  }

  @Test("names that only look the same are two modules")
  func exactNames() throws {
    let names = ["\u{e9}", "e\u{301}"]
    let found = try tree(
      names.map { file("\($0)/1.0.0/\($0).modspec.json") }, [spec(names[1], "1.0.0"), spec(names[0], "1.0.0")])
    #expect(found.releases.map { Array($0.name.utf8) } == names.reversed().map { Array($0.utf8) })
    let known = SpecDigests(found)
    #expect(known.count == 2)
    #expect(try SpecDigests(known.text, "known").count == 2)
  }

  @Test("what is known of a repository is read as it was written, and nothing else is")
  func known() throws {
    let old = try SpecDigests(Array("A 1.0.0 \(String(repeating: "0", count: 64))\n".utf8), "known")
    let new = try SpecDigests(
      Array("A 1.0.0 \(String(repeating: "1", count: 64))\nB 2.0.0 \(String(repeating: "0", count: 64))\n".utf8),
      "known")
    #expect(try SpecDigests(new.text, "known").text == new.text && new.count == 2)
    #expect(
      old.changes(to: new) == [
        SpecChange(kind: .changed, spec: "A 1.0.0"), SpecChange(kind: .added, spec: "B 2.0.0"),
      ])
    #expect(new.changes(to: old).map(\.kind) == [.changed, .removed])
    #expect(new.changes(to: new).isEmpty)
    for text in ["A 1.0.0\n", "A 1.0 \(String(repeating: "0", count: 64))\n", "A 1.0.0 00\n", "A  1.0.0 x y\n"] {
      expectError(.specRepositoryMalformed) { _ = try SpecDigests(Array(text.utf8), "known") }
    }
  }
}
