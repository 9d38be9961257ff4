internal import PluginKit

/// The methods of a class that a component supplies.
///
/// ```swift
/// try HSLinkClass(context).supply("HSVideoSupply", make: HSVideoSupply.init) { methods in
///   methods.add("getVideoController", HSVideoSupply.getVideoController)
///   methods.add("play:", HSVideoSupply.play)
///   methods.addClass("version") { HSVideoSupply.version }
/// }
/// ```
///
/// A colon at the end of a name says that the method takes a value. It is not a part of the name.
public struct HSMethods<Object: Sendable>: Sendable {
  private(set) var actions = TargetActions<HSClass<Object>>()
  private var names: Set<String> = []
  /// The first name that two methods have.
  private(set) var doubled: String?
  /// The first name that only a method of a class can have.
  private(set) var misnamed: String?

  init() {}

  /// Adds a method of objects that takes no value.
  ///
  /// - Parameters:
  ///   - name: the name of the method.
  ///   - body: a method, such as `HSVideoSupply.getVideoController`. It runs on the caller's thread.
  public mutating func add(_ name: String, _ body: @escaping @Sendable (Object) -> () throws -> (any Sendable)?) {
    add(name) { object in { _ in try body(object)() } }
  }

  /// Adds a method of objects that takes a value.
  ///
  /// - Parameters:
  ///   - name: the name of the method.
  ///   - body: a method, such as `HSVideoSupply.play`. It receives the value of the call, or nil without a value, on the
  ///     caller's thread.
  public mutating func add(
    _ name: String, _ body: @escaping @Sendable (Object) -> ((any Sendable)?) throws -> (any Sendable)?
  ) {
    if HSName.isOfClass(name) { misnamed = misnamed ?? name }
    note(name, HSName.method(name)) { made, param in try body(try made.object())(param) }
  }

  /// Adds a method of the class that takes no value.
  ///
  /// - Parameters:
  ///   - name: the name of the method.
  ///   - body: runs on the caller's thread.
  public mutating func addClass(_ name: String, _ body: @escaping @Sendable () throws -> (any Sendable)?) {
    addClass(name) { _ in try body() }
  }

  /// Adds a method of the class that takes a value.
  ///
  /// - Parameters:
  ///   - name: the name of the method.
  ///   - body: receives the value of the call, or nil without a value, on the caller's thread.
  public mutating func addClass(
    _ name: String, _ body: @escaping @Sendable ((any Sendable)?) throws -> (any Sendable)?
  ) {
    note(name, HSName.classMethod(name)) { _, param in try body(param) }
  }

  private mutating func note(
    _ name: String, _ action: String,
    _ body: @escaping @Sendable (HSClass<Object>, (any Sendable)?) throws -> (any Sendable)?
  ) {
    if !names.insert(action).inserted { doubled = doubled ?? name }
    actions.add(action, taking: HSInput.self) { made, input in
      let result = try body(made, HSName.value(input))
      // A method without a result gives none.
      return result is Void ? nil : result
    }
  }
}

/// A class that is supplied. Each call of a method of objects makes an object of it, and no other call does.
struct HSClass<Object: Sendable>: Sendable {
  let name: String
  let make: @Sendable () throws -> Object

  func object() throws(PluginError) -> Object {
    do { return try make() } catch {
      throw error as? PluginError ?? PluginError(.targetFailed, name, "could not be created", cause: error)
    }
  }
}
