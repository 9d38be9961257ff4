/// What a host lets happen to URLs that no module serves.
///
/// By default, web pages may be shown, no file may, and nothing is opened by another program.
public struct ExternalOpening: Sendable {
  /// Whether `http` and `https` URLs may be shown on the web.
  public var allowsWeb: Bool
  /// The folders below which `file` URLs may be shown, as absolute paths. What is opened there must not lead out of them
  /// by a link: the host has to see to that.
  public var fileRoots: [String]
  /// Whether another program can open a URL, such as `tel:1`. It is not asked about schemes that belong to modules.
  public var canOpen: @Sendable (_ url: String) -> Bool

  /// Makes a decision about URLs that no module serves.
  public init(
    allowsWeb: Bool = true, fileRoots: [String] = [],
    canOpen: @escaping @Sendable (_ url: String) -> Bool = { _ in false }
  ) {
    self.allowsWeb = allowsWeb
    self.fileRoots = fileRoots
    self.canOpen = canOpen
  }
}

/// What happens to a URL that no module serves.
public enum ExternalOutcome: Sendable {
  /// The URL may be shown on the web, or as a file.
  case web(String)
  /// Another program may open the URL.
  case external(String)
  /// The URL is not opened: the router's error, or `external.refused`.
  case refused(PluginError)
}
