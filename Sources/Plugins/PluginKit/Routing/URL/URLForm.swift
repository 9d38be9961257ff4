extension PluginURL {
  /// How a URL goes on after its scheme (RFC 3986, section 3).
  public enum Form: Hashable, Sendable {
    /// `scheme://host/path`. The host may be empty, as in `ui:///settings`.
    case authority
    /// `scheme:/path`. It means the same as the form with an empty host: `ui:/settings` is `ui:///settings`.
    case path
    /// `scheme:rest`, as in `tel:1` and `mailto:a@b`. It has no host. Only patterns of this form match it, so `tel:1`
    /// is never taken for `tel://1`.
    case opaque
  }

  /// The forms of URLs that are accepted beside `scheme://…`.
  public struct Forms: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// URLs of the form `scheme:/path`.
    public static let path = Forms(rawValue: 1)
    /// URLs of the form `scheme:rest`.
    public static let opaque = Forms(rawValue: 2)
    /// Every form.
    public static let all: Forms = [.path, .opaque]
  }
}
