extension GateReport {
  /// What changed since the last release.
  public struct Comparison: Sendable {
    /// What the user calls the last release.
    public let baseline: String
    /// Every difference, sorted by path.
    public let changes: [Change]

    /// Creates a comparison.
    package init(baseline: String, changes: [Change]) {
      self.baseline = baseline
      self.changes = changes
    }
  }

  /// A difference from the last release.
  public struct Change: Sendable {
    /// The file.
    public let path: String
    /// What happened to it.
    public let kind: Kind
    /// The differences inside it, each a line: `+ route ui://player/:item`, `~ lib/player.so 12,288 to 14,336 bytes`.
    public let details: [String]

    /// Creates a difference.
    package init(path: String, kind: Kind, details: [String]) {
      self.path = path
      self.kind = kind
      self.details = details
    }

    /// What happened to a file.
    public enum Kind: String, Sendable {
      /// It is new.
      case added
      /// It is gone.
      case removed
      /// It has other bytes, or another signer.
      case changed
    }
  }
}
