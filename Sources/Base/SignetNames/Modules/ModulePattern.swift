/// A pattern for module identifiers, matched label by label.
///
/// An entry's scope uses patterns to say which modules its signers are trusted for. `com.example.player` matches that
/// module alone. `*` matches exactly one label. `**`, which may only come last, matches one or more labels. There are
/// no regular expressions: what a pattern covers must be clear at a glance.
public struct ModulePattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern's text.
  public let description: String
  private let labels: [Substring]

  /// The pattern that covers every module.
  public static let any = ModulePattern(unchecked: "**")

  /// Reads a pattern; nil if the text is not one.
  public init?(_ text: String) {
    self.init(unchecked: text)
    guard text.utf8.count <= ModuleIdentifier.lengthLimit, !labels.isEmpty else { return nil }
    for (index, label) in labels.enumerated() {
      let isLast = index == labels.count - 1
      guard label == "*" || (isLast && label == "**") || ModuleIdentifier.isLabel(label) else { return nil }
    }
  }

  private init(unchecked text: String) {
    description = text
    labels = text.split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Whether the pattern covers a module.
  public func covers(_ module: ModuleIdentifier) -> Bool {
    let names = module.description.split(separator: ".")
    for (index, label) in labels.enumerated() {
      guard index < names.count else { return false }
      if label == "**" { return true }
      guard label == "*" || label == names[index] else { return false }
    }
    return names.count == labels.count
  }
}
