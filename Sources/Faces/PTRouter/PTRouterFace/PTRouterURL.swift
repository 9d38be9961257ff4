public import PluginKit

/// A URL as PTRouter's handlers get it: the URL, and its parameters merged with those of the caller.
public struct PTRouterURL: Sendable {
  /// The URL as PluginKit reads it.
  public let url: PluginURL
  /// The caller's parameters.
  private let given: [String: any Sendable]
  /// The values of parameters that are missing.
  private let defaults: [String: any Sendable]
  /// What the route was asked with; nil for a URL that was not opened.
  private let request: RouteRequest?

  /// Reads a URL.
  ///
  /// - Parameters:
  ///   - text: the URL.
  ///   - params: parameters beside those of the query.
  /// - Throws: `url.…`.
  public init(_ text: String, params: [String: any Sendable] = [:]) throws(PluginError) {
    url = try PluginURL(text)
    given = params
    defaults = [:]
    request = nil
  }

  /// The URL of a request.
  package init(_ request: RouteRequest) {
    url = request.url
    given = request.userInfo
    defaults = request.defaults
    self.request = request
  }

  /// The parameters of the query, which are texts, and those of the caller. If both have a name, the caller's value
  /// counts.
  ///
  /// If a name occurs several times in the query, its last value counts. A name without `=` is left out.
  public var params: [String: any Sendable] {
    var merged = defaults
    for (name, value) in url.query.dictionary { merged[name] = value }
    for (name, value) in given { merged[name] = value }
    return merged
  }

  /// The parameters, and those of a caller on the main actor, which need not be `Sendable`. The latter count before all
  /// others.
  @MainActor public var mainParams: [String: Any] {
    (params as [String: Any]).merging(request?.mainValues ?? [:]) { $1 }
  }

  /// Scheme, host and path as they are written, without query and fragment.
  public var urlWithoutParms: String {
    let end = url.text.utf8.firstIndex { "?#".utf8.contains($0) } ?? url.text.endIndex
    return String(url.text[..<end])
  }

  /// The whole URL as it was given.
  public var absoluteString: String { url.text }
  /// The scheme in lower case.
  public var scheme: String { url.scheme }
  /// The host, decoded; empty if the URL has no host.
  public var host: String { url.host }
  /// The path, each segment decoded; empty if the URL has no path. A slash within a segment stays `%2F`.
  public var path: String {
    url.segments.map { "/" + $0.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F") }
      .joined()
  }
  /// Who opened the URL: the host, or a module.
  public var sender: ModuleOwner { request?.sender ?? .host }

  /// The pattern of exactly this URL, whatever its query. A URL that is a scheme alone stands for all of its URLs.
  ///
  /// A key is no pattern, so the characters that have a meaning in patterns are encoded.
  package var pattern: String {
    let parts = [url.host] + url.segments
    let key = url.scheme + "://" + parts.map(Self.literal).joined(separator: "/")
    return parts == [""] ? key + "*" : key
  }

  private static func literal(_ part: String) -> String {
    var text = ""
    for character in part.unicodeScalars {
      if "%:*()/?#".unicodeScalars.contains(character) {
        text += "%" + String(character.value, radix: 16, uppercase: true)
      } else {
        text.unicodeScalars.append(character)
      }
    }
    return text
  }
}

extension PTRouterURL: CustomStringConvertible {
  /// The whole URL as it was given.
  public var description: String { absoluteString }
}
