internal import PluginKit

/// What a call of a method brings along: values by name, or one value.
typealias HSInput = any Sendable

/// The names of HSLinkClass, and what they are called in a module's description.
///
/// A class is a target, and its methods are the target's actions: a method `play:` of objects is the action `play`, and
/// a method `version` of the class itself is the action `class.version`, so that neither is found in place of the
/// other. A method's name has no dot.
enum HSName {
  private static let classPrefix = "class."

  /// The action of a method of objects: its name without the colon that says that it takes a value.
  static func method(_ name: String) -> String { name.hasSuffix(":") ? String(name.dropLast()) : name }

  /// The action of a method of a class.
  static func classMethod(_ name: String) -> String { classPrefix + method(name) }

  /// Whether a name is that of the action of a class's method.
  static func isOfClass(_ name: String) -> Bool { name.hasPrefix(classPrefix) }

  static func notOfObjects(_ method: String) -> PluginError {
    PluginError(
      .targetName, PluginURL.shown(method), "is not the name of a method of objects",
      expected: "a name without class. before it")
  }

  /// What an action receives. A dictionary is the values by name, and one value is one without a name, so that any
  /// action understands it.
  static func input(_ param: (any Sendable)?) -> HSInput {
    guard let param else { return ActionInput() }
    if let values = param as? [String: any Sendable] { return ActionInput(values) }
    return UnnamedValue(param)
  }

  /// The value that a method receives. No values by name are no value.
  static func value(_ input: HSInput) -> (any Sendable)? {
    guard let named = input as? ActionInput else { return input }
    return named.values.isEmpty ? nil : named.values
  }
}
