public import PluginKit

extension HostManifest {
  /// The entry that a URL is for: of those whose URI is the beginning of the URL, part by part, the one with the longest; of two with the
  /// same one the first.
  ///
  /// - Parameters:
  ///   - url: the URL; its query and fragment have no say.
  ///   - base: what URIs are relative to, such as `ui://` or `https://example.com/demo/`.
  /// - Returns: nil when no entry has it.
  public func entry(for url: PluginURL, base: String) -> Entry? {
    var best: (entry: Entry, length: Int)?
    for entry in entries {
      guard let own = entry.url(base: base), url.lies(below: own) else { continue }
      let length = own.partCount
      if length > best?.length ?? -1 { best = (entry, length) }
    }
    return best?.entry
  }
}

extension HostManifest.Entry {
  /// The entry's URI as a whole URL; nil where there can be none of it.
  ///
  /// - Parameter base: as in ``HostManifest/entry(for:base:)``. What is behind the last slash of its path is replaced; a URI that begins with a slash
  ///   begins at the base's host, and so does any where the base is no more than that (RFC 3986, section 5.2.3).
  public func url(base: String) -> PluginURL? {
    if let whole = try? PluginURL(uri) { return whole }
    guard let start = base.range(ofSeparator: "://") else { return nil }
    let place = base[start.upperBound...]
    let path = place.firstIndex(of: "/") ?? base.endIndex
    if uri.utf8.first == UInt8(ascii: "/") { return try? PluginURL(base[..<path] + uri) }
    guard path < base.endIndex else { return try? PluginURL(base + (place.isEmpty ? "" : "/") + uri) }
    return try? PluginURL(base[...(base.lastIndex(of: "/") ?? path)] + uri)
  }

}

extension String {
  fileprivate func range(ofSeparator text: String) -> Range<String.Index>? {
    indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
  }
}
