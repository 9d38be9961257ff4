/// What can be opened: a URL, or its text.
public protocol RoutableURL {
  /// The URL.
  ///
  /// - Parameter defaultScheme: the scheme of a text without one.
  /// - Throws: `url.…`.
  func pluginURL(defaultScheme: String?) throws(PluginError) -> PluginURL
}

extension PluginURL: RoutableURL {
  /// The URL itself.
  public func pluginURL(defaultScheme: String?) -> PluginURL { self }
}

extension String: RoutableURL {
  /// The URL with this text.
  public func pluginURL(defaultScheme: String?) throws(PluginError) -> PluginURL {
    try PluginURL(self, defaultScheme: defaultScheme)
  }
}
