internal import PluginKit

/// What a call of a method brings along: values by name, or one value.
typealias HSInput = any Sendable

/// The place of the methods of a class, which has no state.
struct HSClassSide: Sendable {}

/// The names of HSLinkClass, and what they are called in a module's description.
///
/// A class `A` is the target `A`, which has the methods of objects. Methods of the class itself are those of the target
/// `A.class`, so that neither is found in place of the other.
enum HSName {
  static func classSide(of name: String) -> String { name + ".class" }

  /// The action of a method: its name without the colon that says that it takes a value.
  static func method(_ name: String) -> String { name.hasSuffix(":") ? String(name.dropLast()) : name }

  /// What an action receives. A dictionary is the values by name, so that any action understands it.
  static func input(_ param: (any Sendable)?) -> HSInput {
    guard let param else { return ActionInput() }
    if let values = param as? [String: any Sendable] { return ActionInput(values) }
    return param
  }

  /// The value that a method receives. No values by name are no value.
  static func value(_ input: HSInput) -> (any Sendable)? {
    guard let named = input as? ActionInput else { return input }
    return named.values.isEmpty ? nil : named.values
  }

  /// What a method gives: a method without a result gives none.
  static func result(_ value: (any Sendable)?) -> (any Sendable)? { value is Void ? nil : value }
}
