import SignetBase
import SignetCrypto
import SignetHTTP
import TestSupport
import Testing

@testable import SignetOCI

/// The names of places.
@Suite("places in registries and layouts") struct OCIPlaceTests {
  private static let hex = String(repeating: "0a", count: 32)

  @Test(
    "a place is read as it is written",
    arguments: [
      "oci://example.com/player", "oci://example.com/a/b_c/d__e/f-g/h--i.j:1.0.0", "oci://localhost:5000/a:_x",
      "oci://127.0.0.1:65535/0:A-b.C", "oci://[::1]:5000/a:1", "oci://example.com/a@sha256:\(hex)",
      "oci://example.com/a:1@sha256:\(hex)", "oci-layout:/srv/modules", "oci-layout:modules:1.0.0",
      "oci-layout:../a b@c:1", "oci-layout:m@sha256:\(hex)", "oci-layout:/a:b/c",
    ])
  func read(_ text: String) throws {
    #expect(try OCIPlace(text).description == text)
  }

  @Test("the parts of a place are told apart")
  func parts() throws {
    let place = try OCIPlace("oci://localhost:5000/a/b:1@sha256:\(Self.hex)")
    #expect(place.holder == .registry(try #require(RepositoryName("localhost:5000/a/b"))))
    #expect(place.tag == "1")
    #expect(place.manifest == .digest(try #require(Digest(.sha256, hex: Self.hex))))
    #expect(try OCIPlace("oci://localhost:5000/a").tag == nil)
    #expect(try OCIPlace("oci-layout:/a:b/c").holder == .layout(path: "/a:b/c"))
    #expect(try OCIPlace("oci-layout:/a:b").tag == "b")
  }

  @Test(
    "what is no place is refused",
    arguments: [
      "", "example.com/a:1", "docker://example.com/a", "oci://", "oci://example.com", "oci://example.com/",
      "oci:///a", "oci://example.com//a", "oci://example.com/A", "oci://example.com/a/", "oci://example.com/a..b",
      "oci://example.com/a___b", "oci://example.com/-a", "oci://example.com/a-", "oci://example.com/a.-b",
      "oci://example.com/../a", "oci://example.com/a:", "oci://example.com/a:.b", "oci://example.com/a:b/c:",
      "oci://user@example.com/a", "oci://user:secret@example.com/a", "oci://example.com:0a/a", "oci://exa mple.com/a",
      "oci://example.com/a?b", "oci://example.com/a#b", "oci://example.com/a%2f", "oci://example.com/a\n",
      "oci://example.com/a@sha256:\(hex)0", "oci://example.com/a@sha256:\(hex.uppercased())",
      "oci://example.com/a@sha512:\(hex)\(hex)", "oci://example.com/a@md5:00",
      "oci://example.com/\(String(repeating: "a", count: 244))",
      "oci://example.com/a:\(String(repeating: "b", count: 129))",
      "oci-layout:", "oci-layout::1", "oci-layout:a:", "oci-layout:a\u{0}b", "oci://example.com/a\u{301}",
    ])
  func refused(_ text: String) throws {
    expectError(.ociReference) { _ = try OCIPlace(text) }
  }

  @Test("the longest name is one of 255 bytes with its host")
  func longest() throws {
    let name = String(repeating: "a", count: 243)
    #expect(try OCIPlace("oci://example.com/\(name)").description.utf8.count == 6 + 255)
  }

  @Test(
    "addresses of this machine are told from others",
    arguments: [
      ("localhost", true), ("LocalHost:5000", true), ("127.0.0.1", true), ("127.255.0.9:80", true), ("[::1]", true),
      ("[::1]:443", true), ("example.com", false), ("127.0.0.1.example.com", false), ("127.0.0", false),
      ("localhost.example.com", false), ("[::2]", false), ("128.0.0.1", false), ("127.a.0.1", false),
      ("10.0.0.1", false),
    ])
  func loopback(_ host: String, _ isLoopback: Bool) {
    #expect(Loopback.contains(host: host) == isLoopback)
  }

  @Test("the tag of a list of referrers is made of the digest")
  func referrersTag() throws {
    let digest = try #require(Digest(.sha256, hex: Self.hex))
    let tag = ManifestName.referrersTag(of: digest)
    #expect(tag == "sha256-\(Self.hex)")
    #expect(ManifestName.isTag(tag) && ManifestName.isReferrersTag(tag))
    #expect(!ManifestName.isReferrersTag("sha256-0a") && !ManifestName.isReferrersTag("1.0.0"))
  }
}
