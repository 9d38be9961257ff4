import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import OCITestSupport
@testable import SignetOCI

/// Image layouts in directories.
@Suite("image layouts") struct OCILayoutTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("layout") }

  init() throws { folder = try TemporaryFolder() }

  @Test("a layout is made whole, and gives what was put into it")
  func roundTrip() throws {
    let layout = try OCILayout(path, isMade: true)
    let manifest = try layout.putImage("one", tag: "1")
    #expect(try folder.read("layout/oci-layout") == Array(#"{"imageLayoutVersion":"1.0.0"}"#.utf8))
    #expect(try Set(folder.listing(in: "layout")) == ["blobs", "index.json", "oci-layout"])
    let again = try OCILayout(path, isMade: false)
    #expect(try again.existing(.tag("1")).bytes == manifest.bytes)
    #expect(try again.existing(.digest(manifest.digest)).bytes == manifest.bytes)
    #expect(try again.whole(manifest.blobs[1]) == Array("one".utf8))
    #expect(try again.tags() == ["1"])
    #expect(try again.manifest(.tag("2")) == nil)
    expectError(.ociNotFound) { _ = try again.existing(.tag("2")) }
  }

  @Test("a tag moves, and the manifest before stays")
  func tagMoves() throws {
    let layout = try OCILayout(path, isMade: true)
    let one = try layout.putImage("one", tag: "latest")
    let two = try layout.putImage("two", tag: "latest")
    #expect(try layout.existing(.tag("latest")).digest == two.digest)
    #expect(try layout.existing(.digest(one.digest)).bytes == one.bytes)
    // The same again writes nothing.
    let before = try folder.read("layout/index.json")
    try layout.put(two, tag: "latest")
    try layout.put(two, tag: nil)
    #expect(try folder.read("layout/index.json") == before)
  }

  @Test("what is about a manifest is found, by its own entry or by a list under a tag")
  func referrers() throws {
    let layout = try OCILayout(path, isMade: true)
    let subject = try layout.putImage("one", tag: "1")
    let own = try layout.putImage("about", about: subject)
    #expect(try layout.referrers(of: subject.digest).map(\.digest) == [own.digest])
    let tagged = try layout.putImage("also", tag: "other", about: subject)
    #expect(Set(try layout.referrers(of: subject.digest).map(\.digest)) == [own.digest, tagged.digest])
    let list = try OCIManifest(index: [tagged.descriptor, own.descriptor])
    try layout.put(list, tag: ManifestName.referrersTag(of: subject.digest))
    #expect(Set(try layout.referrers(of: subject.digest).map(\.digest)) == [own.digest, tagged.digest])
    #expect(try layout.tags() == ["1", "other"])
  }

  @Test("bytes that are not what they are named by are never given, and are replaced")
  func damaged() throws {
    let layout = try OCILayout(path, isMade: true)
    let manifest = try layout.putImage("one", tag: "1")
    let blob = manifest.blobs[1]
    let place = "layout/blobs/sha256/\(blob.digest.hex)"
    try folder.write(place, Array("onf".utf8))
    expectError(.ociDigest) { _ = try layout.whole(blob) }
    try folder.write(place, Array("onee".utf8))
    expectError(.ociDigest) { _ = try layout.whole(blob) }
    try layout.put(blob, Blob(Array("one".utf8)).feed)
    #expect(try folder.read(place) == Array("one".utf8))
    try folder.write(
      "layout/blobs/sha256/\(manifest.digest.hex)", Array(repeating: 0x20, count: manifest.bytes.count))
    expectError(.ociDigest) { _ = try layout.existing(.tag("1")) }
  }

  @Test("wrong bytes leave no file")
  func wrongBytes() throws {
    let layout = try OCILayout(path, isMade: true)
    let blob = try Blob([1, 2, 3])
    for bytes in [[1, 2], [1, 2, 4], [1, 2, 3, 4]] as [[UInt8]] {
      expectError(.ociDigest) { try layout.put(blob.descriptor, .file(BytesInMemory(bytes, path: "x"))) }
      expectError(.ociDigest) {
        try layout.put(blob.descriptor, .stream { (take) throws(SignetError) in try take(bytes) })
      }
    }
    #expect(try folder.listing(in: "layout/blobs/sha256").isEmpty)
  }

  @Test("links lead nowhere")
  func links() throws {
    let layout = try OCILayout(path, isMade: true)
    let secret = try Blob(Array("secret".utf8))
    try folder.write("secret", secret.bytes)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("layout/blobs/sha256/\(secret.descriptor.digest.hex)"),
      withDestinationPath: folder.file("secret"))
    expectError(.ociNotFound) { _ = try layout.whole(secret.descriptor) }
    // Nothing is written through one either.
    try FileManager.default.createDirectory(atPath: folder.file("outside"), withIntermediateDirectories: false)
    try FileManager.default.removeItem(atPath: folder.file("layout/blobs/sha256"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("layout/blobs/sha256"), withDestinationPath: folder.file("outside"))
    expectError(.fileNotDirectory) { try layout.put(secret.descriptor, secret.feed) }
    #expect(try folder.listing(in: "outside").isEmpty)
  }

  @Test("an entry that is gone or cannot be read keeps nobody from the others")
  func unreadable() throws {
    let layout = try OCILayout(path, isMade: true)
    let subject = try layout.putImage("one", tag: "1")
    let good = try layout.putImage("good", about: subject)
    let gone = try layout.putImage("gone", about: subject)
    let bad = try layout.putImage("bad", about: subject)
    try FileManager.default.removeItem(atPath: folder.file("layout/blobs/sha256/\(gone.digest.hex)"))
    try folder.write("layout/blobs/sha256/\(bad.digest.hex)", Array(repeating: 0x20, count: bad.bytes.count))
    #expect(try layout.referrers(of: subject.digest).map(\.digest) == [good.digest])
  }

  @Test(
    "a directory that is no layout is refused",
    arguments: [
      nil, "", "{}", #"{"imageLayoutVersion":"2.0.0"}"#, #"{"imageLayoutVersion":1}"#,
      String(repeating: " ", count: 2000),
    ] as [String?])
  func noLayout(_ mark: String?) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    if let mark { try folder.write("layout/oci-layout", Array(mark.utf8)) }
    try folder.write("layout/other", [])
    expectError(.ociLayout) { _ = try OCILayout(path, isMade: false) }
    expectError(.ociLayout) { _ = try OCILayout(path, isMade: true) }
    #expect(try !folder.listing(in: "layout").contains("blobs"))
  }

  @Test("an index that is missing, malformed or ambiguous is refused by its code")
  func indexes() throws {
    let layout = try OCILayout(path, isMade: true)
    let one = try layout.putImage("one")
    let two = try layout.putImage("two")
    try folder.write("layout/index.json", Array("{".utf8))
    expectError(.ociDocument) { _ = try layout.tags() }
    try FileManager.default.removeItem(atPath: folder.file("layout/index.json"))
    expectError(.ociLayout) { _ = try layout.manifest(.tag("1")) }
    let entries = [one, two].map {
      OCIDescriptor(MediaType.manifest, $0.digest, size: $0.bytes.count, annotations: [Annotation.tag: "1"])
    }
    try folder.write("layout/index.json", OCIManifest(index: entries).bytes)
    expectError(.ociLayout) { _ = try layout.manifest(.tag("1")) }
    // What another program has written, and is not read here, stays.
    let foreign = #"{"schemaVersion":2,"manifests":[{"digest":"sha512:00","mediaType":"a/b","size":1}]}"#
    try folder.write("layout/index.json", Array(foreign.utf8))
    #expect(try layout.tags() == [])
    try layout.put(one, tag: "1")
    #expect(try String(decoding: folder.read("layout/index.json"), as: UTF8.self).contains(#""digest":"sha512:00""#))
    let many = Array(repeating: OCIDescriptor("a/b", one.digest, size: 1), count: 10_001)
    try folder.write("layout/index.json", OCIManifest(index: many).bytes)
    expectError(.ociBounds) { _ = try layout.tags() }
  }

  @Test("a layout that was begun and not finished is finished")
  func halfMade() throws {
    try FileManager.default.createDirectory(atPath: folder.file("layout/blobs"), withIntermediateDirectories: true)
    try folder.write("layout/oci-layout", [])
    let layout = try OCILayout(path, isMade: true)
    try layout.putImage("one", tag: "1")
    #expect(try layout.tags() == ["1"])
  }

  @Test("a damaged blob is copied nowhere")
  func damagedCopy() throws {
    let layout = try OCILayout(path, isMade: true)
    let manifest = try layout.putImage("one", tag: "1")
    let target = try OCILayout(folder.file("target"), isMade: true)
    var copy = OCICopy(from: layout, to: target)
    _ = try copy.copy(.tag("1"), tag: "1")
    // The target's own damage is mended by the next copy.
    let place = "blobs/sha256/\(manifest.blobs[1].digest.hex)"
    try folder.write("target/\(place)", Array("onf".utf8))
    var again = OCICopy(from: layout, to: target)
    _ = try again.copy(.tag("1"), tag: "1")
    #expect(try folder.read("target/\(place)") == Array("one".utf8))
    try folder.write("layout/\(place)", Array("onf".utf8))
    var bad = OCICopy(from: layout, to: try OCILayout(folder.file("other"), isMade: true))
    expectError(.ociDigest) { _ = try bad.copy(.tag("1"), tag: "1") }
  }

  @Test("an index with what nobody knows is copied, and one with other digests is told")
  func unknownParts() throws {
    let layout = try OCILayout(path, isMade: true)
    let odd = try Blob(Array("odd".utf8), "application/vnd.unknown.v1")
    try layout.put(odd.descriptor, odd.feed)
    try layout.put(OCIManifest(index: [odd.descriptor]), tag: "odd")
    let target = try OCILayout(folder.file("target"), isMade: true)
    var copy = OCICopy(from: layout, to: target)
    _ = try copy.copy(.tag("odd"), tag: "odd")
    #expect(try target.whole(odd.descriptor) == odd.bytes)
    let foreign = JSONValue.object(
      ("digest", .string("sha512:00")), ("mediaType", .string("a/b")), ("size", .integer(1)))
    try layout.put(OCIManifest(index: [], unread: [foreign]), tag: "foreign")
    expectError(.ociUnsupported) { _ = try copy.copy(.tag("foreign"), tag: "foreign") }
  }

  @Test("processes that write at the same time lose nothing")
  func together() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let layout = try OCILayout(path, isMade: true)
          try layout.putImage("\(number)", tag: "t\(number)")
        }
      }
      try await group.waitForAll()
    }
    #expect(try OCILayout(path, isMade: false).tags() == (0..<16).map { "t\($0)" }.sorted())
  }
}

extension TemporaryFolder {
  /// The names of what is in a folder of it, sorted.
  func listing(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(name)).sorted()
  }
}
