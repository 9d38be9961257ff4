public import PluginKit

/// A class that is initialized when the host starts, if the host's `AutoInitialize.plist` names it.
@MainActor public protocol AppLaunchProtocol: AnyObject, Sendable {
  /// Makes the object. The host keeps it.
  init()

  /// Called once the object has its settings.
  func initializeWhenLaunch() throws
}

/// A class whose objects are made from parameters.
@MainActor public protocol IoCObjectProtocol: AnyObject, Sendable {
  /// Makes an object from the parameters of a URL and of its caller.
  init(param: [String: any Sendable])
}

/// A page that a URL of the host's `AutoRegistURL.plist` leads to.
@MainActor public protocol PTRouterVCProtocol: AnyObject, Sendable {
  /// Shows the page.
  ///
  /// - Returns: whether it is shown. This is the answer to the URL.
  func presentingSelf() -> Bool
}

extension PTRouterVCProtocol {
  /// Shows nothing.
  public func presentingSelf() -> Bool { false }
}

/// The names of methods that launch files rely on.
package enum PTSelectors {
  /// Of ``AppLaunchProtocol``.
  package static let initializeWhenLaunch = "initializeWhenLaunch"
  /// Of ``IoCObjectProtocol``.
  package static let initWithParam = "initWithParam:"
}

/// Registering classes. A module's description declares each as a target, and its methods as actions.
extension PTInvocationHelper {
  /// Registers a class for `AutoInitialize.plist`, as the target of its name with the action `initializeWhenLaunch`.
  ///
  /// If it is ``PTConfigurable``, it gets its settings of `AppConfigurator.plist` before that.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - name: its name in launch files; nil for its own name.
  /// - Throws: `target.undeclared`, `target.conflict`, `target.name`, `module.removed`.
  public func registerClass<Object: AppLaunchProtocol>(
    _ type: Object.Type, named name: String? = nil
  ) throws(PluginError) {
    try registerClass(name ?? "\(type)", initializeWhenLaunch: { Object() })
  }

  /// Registers a class for `AutoInitialize.plist`, whose object a closure makes.
  ///
  /// - Parameters:
  ///   - name: its name in launch files.
  ///   - make: makes the object, which is kept.
  /// - Throws: `target.undeclared`, `target.conflict`, `target.name`, `module.removed`.
  public func registerClass<Object: AppLaunchProtocol>(
    _ name: String, initializeWhenLaunch make: @escaping @MainActor @Sendable () throws -> Object
  ) throws(PluginError) {
    let owner = user.owner
    try user.add(target: name, makeOnMain: make) { actions in
      actions.addOnMain(PTSelectors.initializeWhenLaunch, isLocal: true) { object, input in
        // The settings are the host's. Another module would set them on the object that is kept.
        guard [.host, owner].contains(input.sender) else {
          throw PluginError(
            .actionLocal, "\(name).\(PTSelectors.initializeWhenLaunch)", "is called by another module",
            expected: "a call of the host", found: "\(input.sender)")
        }
        try (object as? any PTConfigurable)?.safeSetValuesForKeys(input.values)
        try object.initializeWhenLaunch()
        return nil
      }
    }
  }

  /// Registers a class whose objects are made from parameters, as the target of its name with the action
  /// `initWithParam_`.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - name: its name in launch files; nil for its own name.
  /// - Throws: `target.undeclared`, `target.conflict`, `target.name`, `module.removed`.
  public func registerClass<Object: IoCObjectProtocol>(
    _ type: Object.Type, named name: String? = nil
  ) throws(PluginError) {
    try registerClass(name ?? "\(type)", initWithParam: { Object(param: $0) })
  }

  /// Registers a class whose objects a closure makes from parameters.
  ///
  /// - Parameters:
  ///   - name: its name in launch files.
  ///   - make: makes an object from the parameters of a URL and of its caller.
  /// - Throws: `target.undeclared`, `target.conflict`, `target.name`, `module.removed`.
  public func registerClass<Object: AnyObject & Sendable>(
    _ name: String, initWithParam make: @escaping @MainActor @Sendable ([String: any Sendable]) throws -> Object
  ) throws(PluginError) {
    // There is no object before the parameters are there.
    try user.add(target: name, make: { true }) { actions in
      actions.addOnMain(PTSelector(PTSelectors.initWithParam).action, isLocal: true) { _, input in
        try make(input.values)
      }
    }
  }

  /// Registers a class with methods.
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - make: makes an object for each call.
  ///   - methods: its methods, such as the `methods` of a ``PTInvocable``.
  /// - Throws: `target.undeclared`, `target.conflict`, `target.name`, `module.removed`.
  public func registerClass<Object: Sendable>(
    _ name: String, make: @escaping @Sendable () throws -> Object, methods: PTMethods<Object>
  ) throws(PluginError) {
    try user.add(target: name, make: make) { methods.add(to: &$0) }
  }

  /// Registers a class with methods, whose objects are made on the main actor.
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - makeOnMain: makes an object for each call.
  ///   - methods: its methods.
  /// - Throws: `target.undeclared`, `target.conflict`, `target.name`, `module.removed`.
  public func registerClass<Object: Sendable>(
    _ name: String, makeOnMain: @escaping @MainActor @Sendable () throws -> Object, methods: PTMethods<Object>
  ) throws(PluginError) {
    try user.add(target: name, makeOnMain: makeOnMain) { methods.add(to: &$0) }
  }
}
