internal import HTMLPages
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// The path of a file of a site, from the site's folder. Only this type makes them.
enum SitePath {
  /// A page of the list of all modules, from 1.
  case list(Int)
  /// The page of a module.
  case module(ModuleIdentifier)
  /// The page of a publisher.
  case publisher(String)
  /// The style sheet.
  case style
  /// The script of the search.
  case script
  /// What the search looks through.
  case search

  /// The folders of a site.
  static let folders = ["modules", "publishers"]

  /// The path: small letters, digits and `-_.`, and one slash at most.
  ///
  /// - Throws: `crypto.failure`.
  func text() throws(SignetError) -> String {
    switch self {
    case .list(1): "index.html"
    case .list(let number): "index-\(number).html"
    case .module(let identifier): "modules/\(try Self.fileName("\(identifier)", limit: Self.nameLimit)).html"
    case .publisher(let name): "publishers/\(try Self.fileName(name, limit: Self.roleLimit)).html"
    case .style: "site.css"
    case .script: "site.js"
    case .search: "search.js"
    }
  }

  /// The number of folders in which the file is.
  var depth: Int {
    switch self {
    case .module, .publisher: 1
    case .list, .style, .script, .search: 0
    }
  }

  /// The longest name of a page without its `.html`: the longest file name of common file systems (NAME_MAX) is 255.
  private static let nameLimit = 250
  /// The longest name of a publisher that signet repo add-publisher takes.
  private static let roleLimit = 64

  /// A name as that of a file. One that is too long, or has other characters, becomes a digest.
  ///
  /// No such name is one of a digest: an identifier has a dot, and publishers have shorter names.
  private static func fileName(_ name: String, limit: Int) throws(SignetError) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "-_.".utf8.contains(byte)
      }
    }
    if isPlain, (1...limit).contains(name.utf8.count), name.utf8.first != UInt8(ascii: ".") { return name }
    return "sha256-\(try Digest.of(Array(name.utf8), .sha256).hex)"
  }

  /// Whether a text is the path of a file that a site may have.
  static func isPath(_ text: String) -> Bool {
    guard PageLink(text, fromDepth: 0) != nil else { return false }
    if ["index.html", "site.css", "site.js", "search.js"].contains(where: { text.isExactly($0) }) { return true }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard text.utf8.suffix(5).elementsEqual(".html".utf8) else { return false }
    if parts.count == 1 { return text.utf8.starts(with: "index-".utf8) }
    return parts.count == 2 && folders.contains { parts[0].elementsEqual($0.utf8) }
  }

  /// A link from a page to a file.
  ///
  /// - Returns: nil if digests cannot be computed.
  func link(to other: SitePath) -> PageLink? {
    guard let path = try? other.text() else { return nil }
    return PageLink(path, fromDepth: depth)
  }
}

/// A file of a site, made when it is needed.
struct SiteFile {
  let path: SitePath
  let bytes: () throws(SignetError) -> [UInt8]

  init(_ path: SitePath, _ bytes: @escaping () throws(SignetError) -> [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
