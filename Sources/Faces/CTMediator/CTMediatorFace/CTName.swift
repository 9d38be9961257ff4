internal import PluginKit

/// The names of CTMediator, and what they are called in a module's description.
///
/// A target `A` is the class `Target_A`, or `Module.Target_A` for a class of a Swift module. A description and the core
/// call the first one `A`, and the second one `Module.Target_A`. An action `show` is the method `Action_show:`, and is
/// called `show`.
enum CTName {
  private static let targetPrefix = "Target_"
  private static let actionPrefix = "Action_"

  /// The core's name of a target.
  ///
  /// Two names are the same here if and only if the classes have the same name. So a target without a module never
  /// becomes one of a module, whatever its name is.
  static func target(_ name: String, in module: String?) -> String {
    guard let module, !module.isEmpty else { return name.contains(".") ? targetPrefix + name : name }
    return "\(module).\(targetPrefix)\(name)"
  }

  /// The core's name of a class; nil if it is not the class of a target.
  static func target(fullName: String) -> String? {
    guard fullName.hasPrefix(targetPrefix) else { return isQualified(fullName) ? fullName : nil }
    return target(String(fullName.dropFirst(targetPrefix.count)), in: nil)
  }

  /// The class of a target with this name in the core.
  static func fullName(target: String) -> String {
    target.contains(".") && (target.hasPrefix(targetPrefix) || isQualified(target)) ? target : targetPrefix + target
  }

  private static func isQualified(_ name: String) -> Bool {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && name.contains("." + targetPrefix)
  }

  /// The core's name of a method; nil if it is not the method of an action.
  static func action(method: String) -> String? {
    guard method.hasPrefix(actionPrefix), method.hasSuffix(":") else { return nil }
    return String(method.dropFirst(actionPrefix.count).dropLast())
  }

  /// Whether an action was never meant for URLs. The core refuses it to them by its name, and a description may say it.
  static func isNative(_ action: String) -> Bool { action.lowercased().hasPrefix("native") }

  /// The method of an action.
  static func method(action: String) -> String { "\(actionPrefix)\(action):" }

  static func missing(_ part: String) -> PluginError {
    PluginError(.targetName, part, "is not named in the call", expected: "a target and an action")
  }
}
