/// What is in the fragment of a URL: a path, or parameters.
extension PluginURL {
  /// What stands between the parts of a URL and those of its fragment. No part of a URL can be this, because it has a
  /// control character.
  static let fragmentMark = "\0#"

  /// The parts of a URL whose fragment is a path, as in `ui://user#/view/7`: those of the URL, a mark, and those of
  /// the fragment. It is nil if the fragment is no path, or has a part that a URL may not have.
  var partsWithFragment: [String]? {
    guard let fragment = fragmentPath, let parts = try? Self.parts(fragment, text), parts.first?.isEmpty != true,
      self.parts.count + parts.count < Self.partLimit
    else { return nil }
    return self.parts + [Self.fragmentMark] + parts
  }

  /// ``partsWithFragment`` as they are written.
  var rawPartsWithFragment: [String] {
    rawParts + [Self.fragmentMark] + (fragmentPath.map(Self.split) ?? [])
  }

  /// Whether the fragment is a path, as in `#/view/7`. An empty one is.
  var hasFragmentPath: Bool { text.utf8.contains(UInt8(ascii: "#")) && fragmentPath != nil }

  /// The fragment after its first slash and before a `?`; nil if it is no path. An empty fragment is an empty path.
  private var fragmentPath: ArraySlice<UInt8>? {
    let bytes = Array(text.utf8)
    guard let range = URLFrame(bytes).fragment else { return nil }
    let path = bytes[range].prefix { $0 != UInt8(ascii: "?") }
    guard path.isEmpty || path.first == UInt8(ascii: "/") else { return nil }
    return path.dropFirst()
  }

  /// The parameters in the fragment, as in `#a=b&c=d`. In a fragment that is a path they follow a `?`, as in
  /// `?x=1#/view/7?a=b`.
  ///
  /// - Parameter plus: what a `+` means.
  public func fragmentQuery(plus: PlusDecoding = .inQuery) -> URLQuery {
    guard let fragment = rawFragment else { return URLQuery() }
    let bytes = Array(fragment.utf8)[...]
    let pieces = URLQuery.split(fragmentPath == nil ? bytes : bytes.drop { $0 != UInt8(ascii: "?") }.dropFirst())
    guard pieces.count <= Self.queryLimit else { return URLQuery() }
    return URLQuery(pieces.map { URLQuery.item($0) { plus.decode($0, isQuery: true) } })
  }
}
