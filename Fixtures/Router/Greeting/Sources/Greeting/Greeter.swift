/// Greets whoever visits: the plugin's to offer, the host's to use.
public protocol Greeter: Sendable {
  /// What a visitor is told.
  func greet(_ visitor: Visitor) -> String
}

/// Who visits.
public struct Visitor: Sendable {
  /// What they are called.
  public let name: String
  /// In years.
  public let age: Int

  /// Makes a visitor.
  public init(name: String, age: Int) {
    self.name = name
    self.age = age
  }
}
