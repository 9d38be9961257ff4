/// A URL for another program, as much of it as has to be known to let it go.
struct OuterURL {
  let text: String
  /// The scheme in lower case.
  let scheme: String
  /// What follows the scheme and its colon.
  let rest: Substring

  /// - Returns: nil for a text without a scheme, or with characters that programs read in different ways: control
  ///   characters, spaces and backslashes.
  init?(_ text: String) {
    guard text.utf8.count <= PluginURL.limit,
      text.unicodeScalars.allSatisfy({
        $0 != "\\" && !$0.properties.isWhitespace && $0.properties.generalCategory != .control
      }), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let scheme = text[..<colon]
    guard let first = scheme.utf8.first, PluginURL.isLetter(first),
      scheme.utf8.allSatisfy({ PluginURL.isLetter($0) || PluginURL.isDigit($0) || "+-.".utf8.contains($0) })
    else { return nil }
    self.text = text
    self.scheme = scheme.lowercased()
    rest = text[text.utf8.index(after: colon)...]
  }

  /// Whether a host may follow the scheme.
  var hasAuthority: Bool { rest.utf8.starts(with: "//".utf8) }

  /// Whether this is a file in one of the folders, without any way up.
  func isFile(below roots: [String]) -> Bool {
    guard let url = try? PluginURL(text), url.scheme == scheme, ["", "localhost"].contains(url.host.lowercased())
    else {
      return false
    }
    // A part with a slash in it becomes another path if it is decoded again.
    let path = url.segments
    guard path.allSatisfy({ !$0.utf8.contains(UInt8(ascii: "/")) && !$0.utf8.contains(0) }) else { return false }
    return roots.contains { root in
      guard root.utf8.first == UInt8(ascii: "/") else { return false }
      let folder = root.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      return path.count > folder.count && zip(path, folder).allSatisfy { $0.isSame(as: $1) }
    }
  }

  func refusal(_ expected: String) -> PluginError {
    PluginError(
      .externalRefused, PluginURL.shown(text), "has no route, and the host does not open it outside",
      expected: expected)
  }
}

/// The server of a web page.
struct WebOrigin {
  private let host: String
  /// The path, the query and the fragment.
  private let rest: Substring

  /// - Returns: nil if there is no host, or one that browsers would change first: with a user's name, with encoded
  ///   characters, or beyond ASCII.
  init?(_ url: OuterURL) {
    guard url.hasAuthority else { return nil }
    let text = url.rest.dropFirst(2)
    let end = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
    let authority = text[..<end]
    rest = text[end...]
    guard authority.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "%") }) else {
      return nil
    }
    var host = authority.lowercased()
    // A port follows the last colon; colons within brackets are those of an address.
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      let port = host[host.index(after: colon)...]
      guard port.utf8.allSatisfy(PluginURL.isDigit) else { return nil }
      let number = port.drop { $0 == "0" }
      host = String(host[..<colon])
      if !["", "80", "443"].contains(number) { host += ":\(number)" }
    }
    while host.hasSuffix(".") { host.removeLast() }
    guard !host.isEmpty else { return nil }
    self.host = host
  }

  /// The same page as a module may have declared it: with either scheme, and the plain name of the host.
  var spellings: [String] { ["http", "https"].map { "\($0)://\(host)\(rest)" } }
}
