public import PluginKit

/// Calls of classes and objects by their names.
///
/// A class is a target whose methods are its actions. So it has one owner, a module's description declares it, and it is
/// gone with its module. In the description, `_` stands for the colon of a selector: the action `initWithParam_` is the
/// method `initWithParam:`.
public struct PTInvocationHelper: Sendable {
  let user: PTUser

  /// Makes the helper of a module.
  public init(_ context: ModuleContext) { user = .module(context) }

  /// Makes the helper of a host.
  public init(_ switchboard: Switchboard) { user = .host(switchboard) }

  /// Makes an object of a class, and calls a method of it. This waits; in tasks, use the async form.
  ///
  /// - Parameters:
  ///   - className: the name of the class.
  ///   - selector: the name of the method, with a colon if it takes parameters.
  ///   - params: the parameters, or nil.
  ///   - limit: the longest time to wait for a method that runs on another thread.
  /// - Returns: the method's value, whose type stays as it is; nil if it gives nothing.
  /// - Throws: ``PTInvocationError``.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func performClass(
    _ className: String, selector: String, params: [String: any Sendable]? = nil,
    limit: Duration = Router.defaultLimit
  ) throws(PTInvocationError) -> (any Sendable)? {
    let selector = try checked(selector, of: className, params)
    do throws(PluginError) { return try user.perform(selector.action, on: className, params ?? [:], limit) } catch {
      throw failure(error, className, selector)
    }
  }

  /// Makes an object of a class, and calls a method of it. The task keeps no thread meanwhile.
  ///
  /// - Parameters: as those of the form that blocks.
  /// - Returns: the method's value.
  /// - Throws: ``PTInvocationError``.
  @discardableResult public func performClass(
    _ className: String, selector: String, params: [String: any Sendable]? = nil,
    limit: Duration = Router.defaultLimit
  ) async throws(PTInvocationError) -> (any Sendable)? {
    let selector = try checked(selector, of: className, params)
    do throws(PluginError) {
      return try await user.perform(selector.action, on: className, params ?? [:], limit)
    } catch { throw failure(error, className, selector) }
  }

  /// Calls a method of an object. Its class lists its methods, as ``PTInvocable`` says.
  ///
  /// - Parameters:
  ///   - instance: the object.
  ///   - selector: the name of the method, with a colon if it takes parameters.
  ///   - params: the parameters, or nil.
  /// - Returns: the method's value; nil if it gives nothing.
  /// - Throws: ``PTInvocationError``: `noClass` without an object, and `noSelector` also for an object whose class does
  ///   not list its methods.
  @MainActor @discardableResult public func performInstance(
    _ instance: (any Sendable)?, selector: String, params: [String: any Sendable]? = nil
  ) throws(PTInvocationError) -> (any Sendable)? {
    guard let instance else { throw PTInvocationError(.noClass, "nil", selector) }
    let name = "\(type(of: instance))"
    guard let invocable = instance as? any PTInvocable else { throw PTInvocationError(.noSelector, name, selector) }
    do { return try type(of: invocable).call(PTSelector(selector), of: invocable, params) } catch {
      throw error as? PTInvocationError
        ?? PTInvocationError(
          .failed, name, selector,
          cause: error as? PluginError
            ?? PluginError(.actionFailed, PluginURL.shown("\(name).\(selector)"), "failed", cause: error))
    }
  }

  /// - Throws: `paramUnmatch`, or what comes before it, as nothing is called then.
  private func checked(
    _ text: String, of className: String, _ params: [String: any Sendable]?
  ) throws(PTInvocationError) -> PTSelector {
    let selector = PTSelector(text)
    guard selector.count != (params == nil ? 0 : 1) else { return selector }
    guard user.hasTarget(className) else { throw PTInvocationError(.noClass, className, text) }
    guard user.hasAction(selector.action, on: className) else {
      throw PTInvocationError(.noSelector, className, text)
    }
    throw PTInvocationError(.paramUnmatch, className, text)
  }

  /// What an error of the core means. The method may have failed with one that is about something else.
  private func failure(_ error: PluginError, _ className: String, _ selector: PTSelector) -> PTInvocationError {
    let isOfClass = [.targetNotFound, .targetModuleRefused, .targetName].contains(error.code)
    let code: PTInvocationError.Code =
      if isOfClass, !user.hasTarget(className) {
        .noClass
      } else if [.actionNotFound, .targetName].contains(error.code),
        !user.hasAction(selector.action, on: className)
      {
        .noSelector
      } else {
        .failed
      }
    return PTInvocationError(code, className, selector.text, cause: error)
  }
}
