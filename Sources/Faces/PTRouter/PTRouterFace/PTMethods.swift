internal import PluginKit

/// The methods of a class that are called by their names.
///
/// ```swift
/// let methods = PTMethods<Calculator> {
///   $0.add("total") { $0.total }
///   $0.add("add:") { $0.add($1["number"] as? Int ?? 0) }
/// }
/// ```
public struct PTMethods<Object: Sendable>: Sendable {
  enum Body: Sendable {
    case anywhere(@Sendable (Object, [String: any Sendable]) throws -> (any Sendable)?)
    case onMain(@MainActor @Sendable (Object, [String: any Sendable]) throws -> (any Sendable)?)
  }

  private(set) var bodies: [String: Body] = [:]

  /// Makes a list of methods.
  ///
  /// - Parameter add: adds the methods.
  public init(_ add: (inout PTMethods) -> Void = { _ in }) { add(&self) }

  /// Adds a method without parameters. A method that gives nothing gives nil.
  ///
  /// - Parameters:
  ///   - selector: its name, such as `total`.
  ///   - body: the method.
  public mutating func add(_ selector: String, _ body: @escaping @Sendable (Object) throws -> (any Sendable)?) {
    bodies[selector] = .anywhere { object, _ in try body(object) }
  }

  /// Adds a method that takes parameters.
  ///
  /// - Parameters:
  ///   - selector: its name with a colon, such as `add:`.
  ///   - body: the method.
  public mutating func add(
    _ selector: String, _ body: @escaping @Sendable (Object, [String: any Sendable]) throws -> (any Sendable)?
  ) {
    bodies[selector] = .anywhere(body)
  }

  /// Adds a method without parameters that runs on the main actor.
  ///
  /// - Parameters:
  ///   - selector: its name.
  ///   - body: the method.
  public mutating func addOnMain(
    _ selector: String, _ body: @escaping @MainActor @Sendable (Object) throws -> (any Sendable)?
  ) {
    bodies[selector] = .onMain { object, _ in try body(object) }
  }

  /// Adds a method that takes parameters and runs on the main actor.
  ///
  /// - Parameters:
  ///   - selector: its name with a colon.
  ///   - body: the method.
  public mutating func addOnMain(
    _ selector: String,
    _ body: @escaping @MainActor @Sendable (Object, [String: any Sendable]) throws -> (any Sendable)?
  ) {
    bodies[selector] = .onMain(body)
  }

  /// Adds the methods as actions of a target. Only code calls them, no URL.
  func add(to actions: inout TargetActions<Object>) {
    for (selector, body) in bodies.sorted(by: { $0.key < $1.key }) {
      let name = PTSelector(selector).action
      switch body {
      case .anywhere(let body):
        actions.add(name, isLocal: true) { object, input in PTMethods.value(try body(object, input.values)) }
      case .onMain(let body):
        actions.addOnMain(name, isLocal: true) { object, input in PTMethods.value(try body(object, input.values)) }
      }
    }
  }

  /// The result of a method. That of one that gives nothing is nil.
  private static func value(_ result: (any Sendable)?) -> (any Sendable)? { result is Void ? nil : result }

  /// Calls a method of an object.
  ///
  /// - Throws: ``PTInvocationError``, and what the method throws.
  @MainActor func call(
    _ selector: PTSelector, of object: any Sendable, _ params: [String: any Sendable]?
  ) throws -> (any Sendable)? {
    guard let object = object as? Object, let body = bodies[selector.text] else {
      throw PTInvocationError(.noSelector, "\(type(of: object))", selector.text)
    }
    guard selector.count == (params == nil ? 0 : 1) else {
      throw PTInvocationError(.paramUnmatch, "\(type(of: object))", selector.text)
    }
    return switch body {
    case .anywhere(let body): Self.value(try body(object, params ?? [:]))
    case .onMain(let body): Self.value(try body(object, params ?? [:]))
    }
  }
}

/// An object whose methods are called by their names. A class of the main actor lists them in a property that is
/// `nonisolated`, and adds them with `addOnMain`.
public protocol PTInvocable: Sendable {
  /// The methods. They are made anew at each call, so keep none that depend on something that changes.
  static var methods: PTMethods<Self> { get }
}

extension PTInvocable {
  @MainActor static func call(
    _ selector: PTSelector, of object: any Sendable, _ params: [String: any Sendable]?
  ) throws -> (any Sendable)? {
    try methods.call(selector, of: object, params)
  }
}
