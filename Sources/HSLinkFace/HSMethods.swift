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
  private(set) var objectMethods = TargetActions<Object>()
  private(set) var classMethods = TargetActions<HSClassSide>()
  private(set) var hasClassMethods = false
  private var names: Set<String> = []
  /// The first name that two methods have.
  private(set) var doubled: String?

  init() {}

  /// Adds a method of objects that takes no value.
  ///
  /// - Parameters:
  ///   - name: the name of the method.
  ///   - body: a method, such as `HSVideoSupply.getVideoController`. It runs on the caller's thread.
  public mutating func add(_ name: String, _ body: @escaping @Sendable (Object) -> () throws -> (any Sendable)?) {
    note(name)
    objectMethods.add(HSName.method(name), taking: HSInput.self) { object, _ in HSName.result(try body(object)()) }
  }

  /// Adds a method of objects that takes a value.
  ///
  /// - Parameters:
  ///   - name: the name of the method.
  ///   - body: a method, such as `HSVideoSupply.play`. It receives the value of the call, nil if there is none, on the
  ///     caller's thread.
  public mutating func add(
    _ name: String, _ body: @escaping @Sendable (Object) -> ((any Sendable)?) throws -> (any Sendable)?
  ) {
    note(name)
    objectMethods.add(HSName.method(name), taking: HSInput.self) { object, input in
      HSName.result(try body(object)(HSName.value(input)))
    }
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
  ///   - body: receives the value of the call, nil if there is none, on the caller's thread.
  public mutating func addClass(
    _ name: String, _ body: @escaping @Sendable ((any Sendable)?) throws -> (any Sendable)?
  ) {
    note("+" + name)
    hasClassMethods = true
    classMethods.add(HSName.method(name), taking: HSInput.self) { _, input in
      HSName.result(try body(HSName.value(input)))
    }
  }

  private mutating func note(_ name: String) {
    if !names.insert(HSName.method(name)).inserted { doubled = doubled ?? name }
  }
}
