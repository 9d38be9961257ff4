/// The values that an action is called with, by their names.
public struct ActionInput: Sendable, ExpressibleByDictionaryLiteral {
  /// All values.
  public let values: [String: any Sendable]
  /// The URL that called, if one did: then all values are texts.
  public let url: PluginURL?

  /// Makes values for a call by code.
  public init(_ values: [String: any Sendable] = [:]) {
    self.values = values
    url = nil
  }

  /// Makes values for a call by code.
  public init(dictionaryLiteral elements: (String, any Sendable)...) {
    self.init(Dictionary(elements) { _, last in last })
  }

  init(_ url: PluginURL) {
    values = url.query.dictionary
    self.url = url
  }

  /// A value by its name.
  public subscript(name: String) -> (any Sendable)? { values[name] }

  /// A value by its name, if it is of this type.
  public func value<Value>(_ name: String, as type: Value.Type = Value.self) -> Value? { values[name] as? Value }

  /// A text by its name.
  public func text(_ name: String) -> String? { values[name] as? String }
}
