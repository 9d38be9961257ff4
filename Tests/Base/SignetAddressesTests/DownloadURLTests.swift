import SignetBase
import SignetNames
import TestSupport
import Testing

@testable import SignetAddresses

@Suite("addresses of files") struct DownloadURLTests {
  @Test("a server is a scheme, a host and a port")
  func origins() throws {
    #expect(try DownloadURL("HTTP://Example.com/a").origin == "http://example.com:80")
    #expect(try DownloadURL("http://example.com:80/b?c").origin == "http://example.com:80")
    #expect(try DownloadURL("http://example.com:?c").origin == "http://example.com:80")
    #expect(try DownloadURL("https://example.com#d").origin == "https://example.com:443")
    #expect(try DownloadURL("http://example.com:81/").origin == "http://example.com:81")
    #expect(try DownloadURL("http://www.example.com/").origin == "http://www.example.com:80")
    #expect(try DownloadURL("https://[2001:DB8::1]:8443/x").origin == "https://[2001:db8::1]:8443")
  }

  @Test("servers do not receive the fragment, and messages do not show the query")
  func parts() throws {
    let url = try DownloadURL("https://example.com/a?key=secret#part")
    #expect(url.text == "https://example.com/a?key=secret")
    #expect(url.shown == "https://example.com/a")
  }

  @Test(
    "what names no host, and what names a user, is no address",
    arguments: [
      "", "example.com", "http:", "http://", "http:///a", "https://:80/", "http://a b/", "http://example.com:65536/",
      "http://example.com:1x/", "http://[::1/", "http://[::1]x/", "http://[g]/", "http://me@example.com/",
      "ftp://example.com/", "http://ex\u{e4}mple.com/", "https://example.com/" + String(repeating: "a", count: 8192),
    ])
  func refused(_ text: String) { expectError(.fetchURL) { _ = try DownloadURL(text) } }

  @Test("what is refused is shown as far as it can hold no secret")
  func shown() throws {
    for (text, shown) in [
      ("ftp://example.com/a?b", "ftp://example.com/a"), ("secret@example.com/x", "…"), ("/a#b", "/a"),
      ("https://me:secret/x", "https://…"), ("http://example.com/\u{e4}", "http://…"),
      ("http://me:secret@example.com/", "http://…"), ("ftp://me:secret@example.com/?x", "…"),
      ("http://exa mple.com/?a@b&key=secret", "http://…"), ("ftp:secret", "…"),
    ] {
      #expect(try #require(expectError(.fetchURL) { _ = try DownloadURL(text) }).object == shown, "\(text)")
    }
  }
}
