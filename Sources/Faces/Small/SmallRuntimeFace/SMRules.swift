internal import PluginHost

/// The rules of a bundle: which targets the paths below its URI stand for.
///
/// A key is what follows the URI, such as `/sub`, `.html` or `/list?type=1`. Without a slash, a dot or a question mark
/// at its beginning it gets a slash, so `sub` is `/sub`.
public enum SMRules {
  /// The keys that lead to a bundle's principal.
  public static let defaultKeys = ["", ".html", "/index", "/index.html"]
  /// The key of the URI itself.
  private static let entrance = ""

  /// The rules with which the core reads a manifest: what belongs to a bundle beside its URI and what is below.
  static var defaults: [String: String] {
    Dictionary(uniqueKeysWithValues: defaultKeys.map { ($0, "") })
  }

  /// The rules of an entry, merged over the default ones. A rule whose value is null removes its key.
  ///
  /// - Parameters:
  ///   - own: the rules of the manifest.
  ///   - entranceAppliesToAliases: whether a rule for the URI itself also is for the other default keys.
  /// - Returns: the targets by their keys.
  public static func merged(
    _ own: [String: String?], entranceAppliesToAliases: Bool = true
  ) -> [String: String] {
    var rules = defaults
    if entranceAppliesToAliases, let target = own[entrance] { for key in defaultKeys { rules[key] = target } }
    // A key that is written whole comes after the same key without its slash, so it counts.
    for (key, target) in own.sorted(by: { (isWhole($0.key) ? 1 : 0, $0.key) < (isWhole($1.key) ? 1 : 0, $1.key) }) {
      rules[whole(key)] = target
    }
    return rules
  }

  private static func isWhole(_ key: String) -> Bool { key.utf8.first.map { "/.?".utf8.contains($0) } ?? true }

  private static func whole(_ key: String) -> String { isWhole(key) ? key : "/" + key }
}
