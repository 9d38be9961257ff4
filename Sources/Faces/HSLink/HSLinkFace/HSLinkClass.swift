public import PluginKit

/// What a block receives: the value, whether the method was performed, and whether its class is loaded.
public typealias HSLinkBlock = (_ value: (any Sendable)?, _ performSuccess: Bool, _ classIsLoad: Bool) -> Void

/// What a call of a method gave.
public struct HSLinkAnswer: Sendable {
  /// The result of the method; nil if it has none, or was not performed.
  public let value: (any Sendable)?
  /// Whether the method was performed.
  public let performSuccess: Bool
  /// Whether the class is there. A class of a module that is refused, not loaded or removed is not.
  public let classIsLoad: Bool
  /// Why the method was not performed; nil if it was.
  public let error: PluginError?
}

/// Calls of methods of other components by the names of class and method, as HSLinkClass makes them.
///
/// It only translates: classes are targets of the host's `Switchboard`, methods are their actions, and a module
/// supplies only what its signed description declares. Each call that is made on an object makes a new one.
///
/// ```swift
/// link.callObject(class: "HSVideoSupply", method: "getVideoController") { controller, performSuccess, classIsLoad in
///   print(classIsLoad ? "\(controller ?? "no controller")" : "the video module is not loaded")
/// }
/// ```
public final class HSLinkClass: Sendable {
  private let place: ReadWriteLock<TargetCaller?>

  /// Makes the link of a host.
  public convenience init(_ switchboard: Switchboard) { self.init(TargetCaller(switchboard, keeping: .never)) }

  /// Makes the link of a module. Its calls are the module's.
  public convenience init(_ context: ModuleContext) { self.init(TargetCaller(context, keeping: .never)) }

  package init(_ caller: TargetCaller?) { place = ReadWriteLock(caller) }

  /// Sets whose classes the link calls.
  package func use(_ caller: TargetCaller?) {
    // The last one is released outside of the lock.
    let last = place.write { place in
      defer { place = caller }
      return place
    }
    withExtendedLifetime(last) {}
  }

  private func caller() throws(PluginError) -> TargetCaller {
    guard let caller = place.read({ $0 }) else {
      throw PluginError(
        .targetNotFound, "HSLinkClass", "has no classes: it does not know the host",
        hint: "call HSLinkClass.use(host.switchboard) at the start of the host")
    }
    return caller
  }

  // MARK: Asking

  /// Calls a method of a new object.
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - method: the name of the method. A colon at its end means nothing here.
  ///   - param: the value for the method. Several values are a dictionary.
  ///   - block: called exactly once, before this returns.
  /// - Returns: what the block receives, and why the method was not performed.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func callObject(
    class name: String, method: String, param: (any Sendable)? = nil, block: HSLinkBlock? = nil
  ) -> HSLinkAnswer {
    let answer = call(name, Self.action(method, of: name), param)
    block?(answer.value, answer.performSuccess, answer.classIsLoad)
    return answer
  }

  /// Calls a method of a class.
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - method: the name of a method of the class itself. A method of objects is not found.
  ///   - param: the value for the method. Several values are a dictionary.
  ///   - block: called exactly once, before this returns.
  /// - Returns: what the block receives, and why the method was not performed.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func callClass(
    class name: String, method: String, param: (any Sendable)? = nil, block: HSLinkBlock? = nil
  ) -> HSLinkAnswer {
    let answer = call(name, .success(HSName.classMethod(method)), param)
    block?(answer.value, answer.performSuccess, answer.classIsLoad)
    return answer
  }

  /// Calls a method of a new object. The task keeps no thread meanwhile.
  ///
  /// - Returns: the result of the method, whether it was performed, and whether its class is there.
  @discardableResult public func callObject(
    class name: String, method: String, param: (any Sendable)? = nil
  ) async -> HSLinkAnswer {
    await call(name, Self.action(method, of: name), param)
  }

  /// Calls a method of a class. The task keeps no thread meanwhile.
  ///
  /// - Returns: the result of the method, whether it was performed, and whether its class is there.
  @discardableResult public func callClass(
    class name: String, method: String, param: (any Sendable)? = nil
  ) async -> HSLinkAnswer {
    await call(name, .success(HSName.classMethod(method)), param)
  }

  /// The action of a method of objects. A method of the class itself fails: objects do not have it.
  private static func action(_ method: String, of name: String) -> Result<String, PluginError> {
    guard HSName.isOfClass(method) else { return .success(HSName.method(method)) }
    return .failure(HSName.notOfObjects("\(name).\(method)"))
  }

  private func call(
    _ name: String, _ action: Result<String, PluginError>, _ param: (any Sendable)?
  ) -> HSLinkAnswer {
    do throws(PluginError) {
      let value = try caller().perform(
        try action.get(), on: name, input: HSName.input(param), keepsTarget: false, limit: Router.defaultLimit)
      return HSLinkAnswer(value: value, performSuccess: true, classIsLoad: true, error: nil)
    } catch { return answer(name, error) }
  }

  private func call(
    _ name: String, _ action: Result<String, PluginError>, _ param: (any Sendable)?
  ) async -> HSLinkAnswer {
    do throws(PluginError) {
      let value = try await caller().perform(
        try action.get(), on: name, input: HSName.input(param), keepsTarget: false, limit: Router.defaultLimit)
      return HSLinkAnswer(value: value, performSuccess: true, classIsLoad: true, error: nil)
    } catch { return answer(name, error) }
  }

  private func answer(_ name: String, _ error: PluginError) -> HSLinkAnswer {
    let isLoaded: Bool
    switch error.code {
    // A method that failed because of another class says nothing about its own.
    case .targetNotFound, .targetModuleRefused: isLoaded = error.object != name && (try? caller()) != nil
    // A name that no class or method can have is refused before anything is looked for.
    case .targetName: isLoaded = (try? caller().hasTarget(name)) == true
    default: isLoaded = true
    }
    return HSLinkAnswer(value: nil, performSuccess: false, classIsLoad: isLoaded, error: error)
  }

  // MARK: Supplying

  /// Supplies a class. A module supplies only what its signed description declares: the class as a target, with the
  /// names of its methods as actions. A method `version` of the class itself is the action `class.version`.
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - make: makes the object of a call.
  ///   - methods: adds the methods.
  /// - Throws: `target.name`, `target.conflict` if two methods have one name or the class exists, `target.undeclared`,
  ///   `module.removed`; `target.not-found` for a link without a host.
  public func supply<Object: Sendable>(
    _ name: String, make: @escaping @Sendable () throws -> Object, methods: (inout HSMethods<Object>) -> Void
  ) throws(PluginError) {
    var added = HSMethods<Object>()
    methods(&added)
    if let method = added.doubled {
      throw PluginError(
        .targetConflict, PluginURL.shown("\(name).\(method)"), "is the name of two methods", expected: "a unique name"
      )
    }
    if let method = added.misnamed { throw HSName.notOfObjects("\(name).\(method)") }
    try caller().register(name, make: { HSClass(name: name, make: make) }, actions: added.actions)
  }
}
