import Signet
import SignetCrypto

@testable import ModuleFetch
@testable import ModuleStore
@testable import SignetAddresses
@testable import SignetBase
@testable import SignetHTTP

/// What servers answer, what lists offer, and what a host has noted of both.
enum FedAnswers {
  static func feed(_ bytes: [UInt8]) {
    feedHead(bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init))
    feedURL(String(decoding: bytes, as: UTF8.self))
    if let item = try? DownloadItem(json: bytes) {
      require((try? DownloadItem(json: CanonicalJSON.write(item.json))) == item, "an item changed")
    }
    if let note = try? DownloadNote(bytes) {
      require((try? DownloadNote(note.text())) == note, "a note changed")
      if let source = note.source { checkSource(source) }
    }
  }

  /// What is taken from a head is a number that fits, or can stand in a request as it is.
  private static func feedHead(_ lines: [[UInt8]]) {
    guard let head = ResponseHead(lines) else { return }
    require((0...999).contains(head.status), "a status has more than three digits")
    let length = try? head.length()
    require(length.map { $0 >= 0 } ?? true, "a length is below nothing")
    if let range = try? head.range() {
      require(range.first >= 0 && range.first <= range.last && range.last < range.whole, "a range is none")
    }
    guard let source = DownloadNote.Source(head, length: length) else { return }
    checkSource(source)
    require((try? source.isSame(head)) == true, "a head speaks of another file than itself")
  }

  private static func checkSource(_ source: DownloadNote.Source) {
    let tag = Array(source.tag.utf8)
    require(tag.count >= 2 && tag.first == 0x22 && tag.last == 0x22, "a tag has no quotes")
    require(
      tag.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 }, "a tag ends a request's field")
  }

  /// Wherever a server sends, it is http or https, in printable ASCII, with no name or password, and reads the same again.
  private static func feedURL(_ text: String) {
    guard let base = try? FetchURL("https://example.com/a/b?x=y#z") else { return require(false, "a URL is none") }
    if let listed = try? DownloadURL(text) {
      require((try? DownloadURL(listed.text)) == listed, "a listed URL changed")
      require(!listed.origin.contains("@"), "a server has a name or a password")
    }
    for url in [try? FetchURL(text), try? base.resolving(text)] {
      guard let url else { continue }
      require(url.text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a URL ends a request's line")
      let isPlain = url.text.hasPrefix("https://") || url.text.hasPrefix("http://")
      require(isPlain && url.isSecure == url.text.hasPrefix("https://"), "a URL is of another scheme")
      let authority = url.text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)[1]
      require(!authority.prefix { $0 != "?" && $0 != "#" }.contains("@"), "a URL has a name or a password")
      require((try? FetchURL(url.text)) == url, "a URL changed")
    }
  }
}
