import TestSupport
import Testing

@testable import SignetArchive
@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct ListingTests {
  private static func file(_ path: String) throws -> DirectoryListing.Entry {
    let mode = try #require(FileMode(bits: 0o644))
    return .init(path: path, content: .file(mode: mode, size: 1, sha256: try Digest.of([1], .sha256)))
  }

  private static func folder(_ path: String) throws -> DirectoryListing.Entry {
    .init(path: path, content: .directory(mode: try #require(FileMode(bits: 0o755))))
  }

  @Test("a listing is written in one way, and read in no other")
  func coding() throws {
    let link = DirectoryListing.Entry(path: "b", content: .symbolicLink(target: "a/x"))
    let listing = try DirectoryListing([Self.folder("a"), Self.file("a/x"), link])
    let text = """
      [{"mode":"0755","path":"a","type":"directory"},{"mode":"0644","path":"a/x","sha256":"4bf5122f344554c53bde2ebb8c\
      d2b7e3d1600ad631c385a5d7cce23c7785459a","size":1,"type":"file"},{"path":"b","target":"a/x","type":"symlink"}]
      """
    #expect(String(decoding: try listing.canonicalBytes(), as: UTF8.self) == text)
    #expect(listing.digest == (try Digest.of(Array(text.utf8), .sha256)))
    #expect(try DirectoryListing(json: Array(text.utf8)) == listing)
    expectError(.statementNotCanonical) { _ = try DirectoryListing(json: Array((" " + text).utf8)) }
    expectError(.statementMalformed) { _ = try DirectoryListing(json: Array("[".utf8)) }
    expectError(.statementMalformed) { _ = try DirectoryListing(json: Array("{}".utf8)) }
    for entry in listing.entries { #expect(listing[entry.path] == entry) }
    for path in ["", "0", "a/", "a/w", "a/y", "c"] { #expect(listing[path] == nil) }
    #expect(listing.size == 1)
    #expect(try DirectoryListing([])["a"] == nil)
  }

  @Test("the bounds are inclusive: 20,000 entries, 64 names, 255 and 1023 bytes")
  func bounds() throws {
    func names(_ count: Int) throws -> [DirectoryListing.Entry] {
      try (0..<count).map { try Self.folder("\(100_000 + $0)") }
    }
    #expect(try DirectoryListing(names(20_000)).entries.count == 20_000)
    expectError(.directoryEntryCount) { _ = try DirectoryListing(names(20_001)) }
    let many = "[" + Array(repeating: "1", count: 20_001).joined(separator: ",") + "]"
    expectError(.directoryEntryCount) { _ = try DirectoryListing(json: Array(many.utf8)) }
    let long = String(repeating: "x", count: 255)
    let longest = [long, long, long, long].joined(separator: "/")
    for path in [long, longest, Array(repeating: "x", count: 64).joined(separator: "/")] {
      try EntryPath.check(path)
    }
    for path in [long + "x", longest + "/", Array(repeating: "x", count: 65).joined(separator: "/")] {
      expectError(path.hasSuffix("/") ? .pathBounds : .pathBounds) { try EntryPath.check(path + "x") }
    }
  }

  @Test("sizes that no sum can hold are no trap")
  func size() throws {
    let entries = try (0..<1100).map { number in
      DirectoryListing.Entry(
        path: "\(1000 + number)",
        content: .file(mode: try #require(FileMode("0644")), size: 1 << 53 - 1, sha256: try Digest.of([], .sha256)))
    }
    #expect(try DirectoryListing(entries).size == .max)
  }

  @Test("modes are four octal digits of permissions", arguments: ["0000", "0644", "0777"])
  func modes(text: String) throws {
    #expect(FileMode(text)?.description == text)
  }

  @Test(
    "other modes are none", arguments: ["", "644", "00644", "0648", "1777", "4755", "+644", " 644", "0x1f", "٠٦٤٤"])
  func noModes(text: String) { #expect(FileMode(text) == nil) }

  @Test("a link may go up to the top, and no higher")
  func links() throws {
    for (path, target) in [
      ("l", "x"), ("l", "."), ("l", "./x"), ("a/l", ".."), ("a/l", "../x/y"), ("a/b/l", "../.."),
      ("a/b/l", ".././../x"),
    ] { try EntryPath.check(target: target, ofLinkAt: path) }
    for (path, target) in [
      ("l", ".."), ("l", "./.."), ("a/l", "../.."), ("a/l", "x/.."), ("a/b/l", "../x/../y"), ("a/b/l", "./../../.."),
    ] {
      expectError(.pathParent, "\(path) -> \(target)") { try EntryPath.check(target: target, ofLinkAt: path) }
    }
    expectError(.pathAbsolute) { try EntryPath.check(target: "/", ofLinkAt: "l") }
  }

  @Test("paths that one system takes for one are folded to one")
  func folding() {
    var folding = PathFolding()
    func isSame(_ one: String, _ other: String) -> Bool { folding.folded(one) == folding.folded(other) }
    #expect(isSame("Read/Me", "rEAD/mE"))
    #expect(isSame("STRASSE", "straße"))
    #expect(isSame("ΣΊΣΥΦΟΣ", "σίσυφος"))
    #expect(!isSame("a", "b"))
    #expect(!isSame("é", "e"))
  }
}
