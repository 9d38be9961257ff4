// A host needs the mediator, too.
@_exported public import CTMediatorFace
public import PluginKit

/// The mediator of the host.
///
/// Modules have none of this: their calls are their own, by `CT(context)`, so that no module can pass for the host.
extension CTMediator {
  private static let shared = CTMediator(nil)

  /// The mediator of the host. It finds nothing until `use` was called.
  public static func sharedInstance() -> CTMediator { shared }

  /// Sets whose targets the host's mediator calls; nil if it has none.
  ///
  /// - Parameter switchboard: the switchboard of the host.
  public static func use(_ switchboard: Switchboard?) {
    shared.use(switchboard.map { TargetCaller($0, keeping: .shared) })
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The mediator of the host.
public func CT() -> CTMediator { .sharedInstance() }
