/// Which modules an entry may speak for: identifiers, label by label.
///
/// `com.example.player` is that module alone; `*` stands for exactly one label; `**`, which may only come last, for one
/// label or more. No regular expressions: what a pattern covers has to be seen at a glance.
public struct ModulePattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern's text.
  public let description: String
  private let labels: [Substring]

  /// Every module there is.
  public static let any = ModulePattern(unchecked: "**")

  /// Reads a pattern; nil when it is none.
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

  /// Whether a module's identifier is one the pattern covers.
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
