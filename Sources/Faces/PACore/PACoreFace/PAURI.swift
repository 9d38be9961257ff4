public import PluginKit

/// The address of a resource, such as `ui://wechat/pay?id=7`.
///
/// It is a `PluginURL` with the names of PACore. The URL needs a scheme and `://`, and each part is decoded once.
public struct PAURI: Hashable, Sendable, CustomStringConvertible {
  /// The URL as PluginKit reads it.
  public let url: PluginURL

  /// Reads an address; nil if there is no text, or it is not a URL with a scheme.
  public init?(_ text: String?) {
    guard let text, let url = try? PluginURL(text) else { return nil }
    self.url = url
  }

  /// Makes an address from a URL.
  public init(_ url: PluginURL) { self.url = url }

  /// The scheme, in lower case.
  public var scheme: String { url.scheme }

  /// The text between `://` and the query, part by part decoded; nil if the URL has no such text.
  ///
  /// A slash within a part stays `%2F`, because it does not separate parts.
  public var resourcePath: String? {
    guard let written = url.resourcePath else { return nil }
    let parts = [url.host] + url.segments
    let path = parts.map { $0.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F") }
      .joined(separator: "/")
    return path.isEmpty ? written : path
  }

  /// The parameters after the `?`: nil without a `?`, and empty if nothing follows it.
  ///
  /// If a name occurs several times, its last value counts. A name without a value is left out.
  public var params: [String: String]? { url.hasQuery ? url.query.dictionary : nil }

  /// The text of the address.
  public var description: String { url.text }
}

extension PAURI: RoutableURL {
  /// The URL itself.
  public func pluginURL(defaultScheme: String?, accepting forms: PluginURL.Forms) -> PluginURL { url }
}
