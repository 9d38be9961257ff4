public import PluginKit

/// An object that a list of settings configures, as `AppConfigurator.plist` has it for each class.
///
/// ```swift
/// final class UMShareConfigurator: AppLaunchProtocol, PTConfigurable {
///   var appkey: String?
///   var isAppStore = false
///   static var settings: [String: PTSetting<UMShareConfigurator>] {
///     ["appkey": PTSetting(\.appkey), "isAppStore": PTSetting(\.isAppStore)]
///   }
///   …
/// }
/// ```
///
/// Only these keys can be set: a list reaches no other property.
@MainActor public protocol PTConfigurable: AnyObject {
  /// The settings that the class takes, by their keys.
  static var settings: [String: PTSetting<Self>] { get }
}

extension PTConfigurable {
  /// Sets values by their keys: all of them, or none if one is wrong.
  ///
  /// - Throws: `launch.setting` if the class does not take a key, or its value has another type. The error names the
  ///   key.
  public func safeSetValuesForKeys(_ values: [String: any Sendable]) throws(PluginError) {
    let settings = Self.settings
    var changes: [() -> Void] = []
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let name = PluginURL.shown("\(Self.self).\(key)")
      guard let setting = settings[key] else {
        throw PluginError(
          .launchSetting, name, "is not a setting of the class",
          expected: PluginURL.shown(settings.keys.sorted().joined(separator: ", ")),
          hint: "correct the key in AppConfigurator.plist")
      }
      guard let change = setting.change(self, value) else {
        throw PluginError(
          .launchSetting, name, "has a value of another type", expected: setting.type, found: "\(type(of: value))",
          hint: "correct the value in AppConfigurator.plist")
      }
      changes.append(change)
    }
    for change in changes { change() }
  }
}

/// A property that a key sets.
@MainActor public struct PTSetting<Object: AnyObject> {
  /// The type of the property.
  let type: String
  /// The change that a value makes; nil if it has another type.
  let change: (Object, any Sendable) -> (() -> Void)?

  /// Makes a setting from a property.
  ///
  /// A whole number also sets a property of type `Double`.
  public init<Value>(_ property: ReferenceWritableKeyPath<Object, Value>) {
    type = "\(Value.self)"
    change = { object, value in
      guard let value = value as? Value ?? (value as? Int).flatMap({ Double($0) as? Value }) else { return nil }
      return { object[keyPath: property] = value }
    }
  }
}
