import Signet
import Testing

@testable import SmallWebFace

/// Which URLs are those of modules, and which are those of the web.
@Suite struct SMWebAddressTests {
  private let address = SMWebAddress()

  @Test(
    "a URL that a browser takes for a module's is never one of the web",
    arguments: [
      "https://com.example.player.invalid", "https://com.example.player.invalid/a?b#c",
      "HTTPS://Com.Example.INVALID/",
      "https:com.example.invalid", "https:\\\\com.example.invalid\\a", "https:////com.example.invalid/a",
      "https://user:word@com.example.invalid:443/", "https://com.example.invalid./", "https://com.example.inv%61lid/",
      // A combining mark behind a slash, a colon or a number sign makes another character of both in Swift, not in a URL.
      "https://com.example.invalid/\u{31e}a", "https:\u{301}//com.example.invalid/",
      "https:/\u{301}/com.example.invalid/",
      "https://com.example.invalid#\u{301}", "https://com.example.invalid?\u{301}", "https://a@\u{301}b.invalid/",
      // A browser leaves out what is between the letters, and maps the letters.
      "https://com.example.inva\tlid/", "https:/\n/com.example.invalid/", "https://com.example\u{3002}invalid/",
      "https://com.example.\u{ff49}nvalid/", "https://com.example.inva\u{ad}lid/",
    ])
  func modules(_ url: String) {
    #expect(address.isOfModule(url))
    #expect(!address.isWeb(url))
  }

  @Test(
    "a URL of the web is one, whatever follows its host",
    arguments: [
      "https://example.com/com.example.invalid", "HTTP://example.com:80?x=.invalid",
      "https://invalid.example.com/\u{301}家", "https://invalid/", "https://example.com/%41#com.example.invalid",
    ])
  func web(_ url: String) {
    #expect(!address.isOfModule(url))
    #expect(address.isWeb(url))
  }

  @Test(
    "a URL without the scheme of the web is neither", arguments: ["", "https", "ftp://a.invalid", "a:\u{301}b", ":"])
  func others(_ url: String) {
    #expect(!address.isOfModule(url))
    #expect(!address.isWeb(url))
  }

  @Test("a file of a module has one URL")
  func files() throws {
    let module = try #require(ModuleIdentifier("com.example.player"))
    let url = address.url(module, path: "a b/\u{31e}.html", query: nil)
    #expect(url == "https://com.example.player.invalid/a%20b/%CC%9E.html")
    #expect(address.path(of: url, in: module).map { Array($0.utf8) } == Array("a b/\u{31e}.html".utf8))
  }
}
