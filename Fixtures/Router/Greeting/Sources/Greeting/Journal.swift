/// Keeps a line: the host's to offer, the plugin's to use.
public protocol Journal: Sendable {
  /// Keeps a line.
  func note(_ line: String)
}
