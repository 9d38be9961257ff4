/// Where a module's resources come from: the bytes that were signed; nil for a path that is none of them.
public typealias ModuleResources = @Sendable (_ path: String) throws -> [UInt8]?

/// What a module registers with, and reaches the others by.
///
/// Only a module that was verified and loaded gets one, and it takes only what the module's signed description declares.
/// Everything belongs to the module, and goes with it.
public final class ModuleContext: Sendable {
  let switchboard: Switchboard
  /// What the module's signed description names.
  public let declaration: ModuleDeclaration
  /// The module as an owner.
  public var owner: ModuleOwner { .module(declaration.identifier) }
  /// What shows the module's pages, until the module is removed.
  public var presenter: ModulePresenter { ModulePresenter(switchboard, owner) }

  private let resources: ModuleResources?

  init(_ switchboard: Switchboard, _ declaration: ModuleDeclaration, _ resources: ModuleResources? = nil) {
    self.switchboard = switchboard
    self.declaration = declaration
    self.resources = resources
  }

  /// The bytes of a resource that the module brings, as they were signed.
  ///
  /// - Parameter path: of a file that the description names among its `resources`, or that lies in a directory named there.
  /// - Throws: `resource.missing` for any other path; `resource.failed` when it is not what was signed any more, or cannot be read.
  public func resource(_ path: String) throws(PluginError) -> [UInt8] {
    let shown = PluginURL.shown(path)
    guard let resources else { throw PluginError(.resourceMissing, shown, "is no resource: the host offers none") }
    let bytes: [UInt8]?
    do { bytes = try resources(path) } catch {
      throw PluginError(.resourceFailed, shown, "cannot be had", cause: error)
    }
    guard let bytes else {
      throw PluginError(
        .resourceMissing, shown, "is no resource that the description of \(owner) declares",
        hint: "add it to \"resources\" in module.json, and sign the module again")
    }
    return bytes
  }

  func declared(_ text: String) throws(PluginError) -> RoutePattern {
    let pattern = try switchboard.router.pattern(text)
    guard let declared = declaration.declared(pattern) else {
      throw PluginError(
        .routeUndeclared, PluginURL.shown(text), "is no route that the description of \(owner) declares",
        expected: declaration.routes.isEmpty
          ? "none" : PluginURL.shown(declaration.routes.map(\.text).joined(separator: ", ")),
        hint: "add it to \"routes\" in module.json, and sign the module again")
    }
    return declared
  }

  /// Serving what is below a pattern takes a declaration of that, too.
  func declared(_ text: String, allowsFallback: Bool) throws(PluginError) -> RoutePattern {
    let pattern = try declared(text)
    guard !allowsFallback || declaration.namesAllBelow(pattern) else {
      throw PluginError(
        .routeUndeclared, PluginURL.shown(text),
        "is to serve what is below it, which the description of \(owner) does not declare",
        expected: "the same pattern with /* behind it",
        hint: "add it to \"routes\" in module.json, and sign the module again")
    }
    return pattern
  }

  func check(_ target: String, _ action: String?, isLocal: Bool) throws(PluginError) {
    let name = PluginURL.shown(action.map { "\(target).\($0)" } ?? target)
    guard let declared = declaration.targets[target], let action = action ?? declared.keys.first,
      let isDeclaredLocal = declared[action]
    else {
      throw PluginError(
        .targetUndeclared, name, "is no target or action that the description of \(owner) declares",
        hint: "add it to \"targets\" in module.json, and sign the module again")
    }
    guard !isDeclaredLocal || isLocal else {
      throw PluginError(
        .targetUndeclared, name, "is declared for code alone", expected: "isLocal: true",
        found: "an action that URLs may call")
    }
  }

  func check(service: String) throws(PluginError) {
    guard declaration.services.contains(service) else {
      throw PluginError(
        .serviceUndeclared, service, "is no service that the description of \(owner) declares",
        hint: "add it to \"services\" in module.json, and sign the module again")
    }
  }
}
