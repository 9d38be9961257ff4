/// How a router reads a URL that is read by its path (``PathReading``).
extension Router {
  /// Parses a URL. One that somebody has as it is written is read as it is written.
  ///
  /// - Throws: `url.…`.
  func parse(_ url: some RoutableURL) throws(PluginError) -> PluginURL {
    let url = try url.pluginURL(defaultScheme: defaultScheme, accepting: forms)
    guard !url.reading.isEmpty, let written = url.asWritten(defaultScheme: defaultScheme) else { return url }
    return state.read { $0.read(url, written) }
  }
}

extension Router.State {
  /// The URL as it is written, if somebody has it; in its own scheme, if it is refused there; otherwise as it is read.
  fileprivate borrowing func read(_ url: PluginURL, _ written: PluginURL) -> PluginURL {
    if url.reading.contains(.byPath), refusals.names(written) || match(naming: written) != nil { return written }
    guard url.reading.contains(.otherScheme), !refusals.isEmpty, let own = url.inScheme(written.scheme) else {
      return url
    }
    let match = tree.firstMatch(own, exactly: false, schemeIsTaken: isTaken(own.scheme))
    return refusal(of: own, before: match) == nil ? url : own
  }

  /// The refusal of a URL as it is written, or in its own scheme, if it is read in another way: a refused module's URL
  /// stays refused.
  borrowing func otherRefusal(of url: PluginURL) -> Refusals.Refusal? {
    // The default scheme counts only while the URL is parsed: without a scheme, no module has a URL by its text.
    guard !url.reading.isEmpty, let written = url.asWritten(defaultScheme: nil) else { return nil }
    if url.reading.contains(.byPath), refusals.names(written) {
      return refusal(of: written, before: match(naming: written))
    }
    guard url.reading.contains(.otherScheme), let own = url.inScheme(written.scheme) else { return nil }
    return refusal(of: own, before: tree.firstMatch(own, exactly: false, schemeIsTaken: isTaken(own.scheme)))
  }

  /// The first route that matches a URL by the text of its host, or in the form `scheme:rest`.
  private borrowing func match(naming url: PluginURL) -> RouteMatch<RouteBody>? {
    tree.allMatches(url, exactly: false, schemeIsTaken: isTaken(url.scheme)).first { $0.shape.namesHost }
  }
}

extension Refusals {
  /// Whether a refused module has a URL by the text of its host, or in the form `scheme:rest`.
  fileprivate func names(_ url: PluginURL) -> Bool { places.contains { $0.names(url) } }
}

extension RefusedPlaces {
  fileprivate func names(_ url: PluginURL) -> Bool { slots(of: url).contains { $0.shape.namesHost } }
}

extension PatternShape {
  /// Whether the shape is for one host, or for URLs of the form `scheme:rest`.
  fileprivate var namesHost: Bool {
    if case .literal(let text)? = parts.first { text != PluginURL.fragmentMark || isOpaque } else { isOpaque }
  }
}
