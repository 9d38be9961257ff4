internal import PluginHost
internal import PluginKit
internal import Signet
internal import SignetBase

/// Where the modules of a host are for its web views: a URL for each file, `https://PKG.invalid/PATH`.
///
/// Each module is an origin of its own, so its pages share nothing with those of another module. No such URL leads
/// anywhere: the web view asks the page's controller for what is there.
public struct SMWebAddress: Sendable, Hashable {
  /// The scheme. A view that serves a scheme of its own needs another one than `https`.
  public let scheme: String
  /// What follows the module's identifier in the host.
  public let suffix: String

  /// Makes an address.
  ///
  /// - Parameters:
  ///   - scheme: the scheme, in lower case.
  ///   - suffix: what follows the module's identifier in the host. Nobody can own a domain in `.invalid` (RFC 6761,
  ///     section 6.4).
  public init(scheme: String = "https", suffix: String = ".invalid") {
    self.scheme = scheme
    self.suffix = suffix
  }

  /// The beginning of a module's URLs, without a slash at its end.
  func origin(_ module: ModuleIdentifier) -> String { "\(scheme)://\(module)\(suffix)" }

  /// The URL of a file of a module.
  func url(_ module: ModuleIdentifier, path: String, query: String?) -> String {
    let place = origin(module) + "/" + PercentEncoding.encode(path, keeping: "/")
    return query.map { place + "?" + PercentEncoding.encode($0, keeping: "/?%:@!$&'()*+,;=[]") } ?? place
  }

  /// The path of a file in a module.
  ///
  /// - Returns: nil if the URL is not one of the module's, or can be read in two ways: with an empty part, a dot part, or
  ///   an encoded slash.
  func path(of text: String, in module: ModuleIdentifier) -> String? {
    guard let url = try? PluginURL(text), url.scheme.utf8.elementsEqual(scheme.utf8),
      url.host.utf8.elementsEqual("\(module)\(suffix)".utf8), url.resourcePath?.utf8.last != UInt8(ascii: "/"),
      !url.segments.isEmpty, url.segments.allSatisfy({ !$0.utf8.contains(UInt8(ascii: "/")) })
    else { return nil }
    return url.segments.joined(separator: "/")
  }

  /// Whether a URL has the origin of a module.
  func isOrigin(_ text: String, of module: ModuleIdentifier) -> Bool {
    let origin = origin(module)
    guard text.utf8.starts(with: origin.utf8) else { return false }
    return text.utf8.dropFirst(origin.utf8.count).first.map { "/?#".utf8.contains($0) } ?? true
  }

  /// Whether a browser would take the origin of a URL for that of a module, whatever the rest of the URL is.
  ///
  /// A URL is read byte by byte: a slash with a combining mark behind it is still a slash.
  func isOfModule(_ text: String) -> Bool {
    guard let (scheme, rest) = Self.parts(text), scheme.elementsEqual(self.scheme.utf8) else { return false }
    // A browser reads a backslash as a slash, and any number of them before the host.
    let authority = rest.drop { "/\\".utf8.contains($0) }.prefix { !"/\\?#".utf8.contains($0) }
    // It decodes the host, leaves out tabs and line breaks, and maps other letters to those of ASCII. No URL of the web
    // needs any of them there (RFC 3986, section 3.2.2).
    guard authority.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "%") }) else { return true }
    var host = authority.map(Self.lowercased)
    if let user = host.lastIndex(of: UInt8(ascii: "@")) { host.removeSubrange(...user) }
    if let port = host.lastIndex(of: UInt8(ascii: ":")) { host.removeSubrange(port...) }
    while host.last == UInt8(ascii: ".") { host.removeLast() }
    return host.reversed().starts(with: suffix.utf8.reversed())
  }

  /// Whether a URL is one of the web, and not one of a module's files.
  func isWeb(_ text: String) -> Bool {
    guard let (scheme, _) = Self.parts(text) else { return false }
    return (scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)) && !isOfModule(text)
  }

  /// The scheme of a URL in lower case, and what follows the colon behind it.
  private static func parts(_ text: String) -> (scheme: [UInt8], rest: Substring.UTF8View)? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return (text.utf8[..<colon].map(lowercased), text.utf8[text.utf8.index(after: colon)...])
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
