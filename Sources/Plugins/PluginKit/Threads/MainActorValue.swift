/// A value that only the main actor may see.
///
/// A handler on the main actor may give a value that is not `Sendable`, such as a view. The form of opening on the main
/// actor returns it as it is. The other forms return it in this box, which can be passed to any thread, but opened only
/// on the main actor. The value is also released there.
@MainActor public final class MainActorValue {
  /// The value.
  public let value: Any

  /// Makes a box.
  public init(_ value: Any) { self.value = value }

  isolated deinit {}

  /// A value that every thread may see: simple values as they are, any other in a box.
  package static func sendable(_ value: Any?) -> (any Sendable)? {
    switch value {
    case nil: nil
    case let value as Bool: value
    case let value as Int: value
    case let value as Double: value
    case let value as String: value
    case let value as [UInt8]: value
    case let value as MainActorValue: value
    case let value?: MainActorValue(value)
    }
  }
}
