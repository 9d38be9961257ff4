// A host needs the link, too.
@_exported public import HSLinkFace
public import PluginKit

/// The link of the host.
///
/// Components have none of this: their calls are their own, by `HSLinkClass(context)`, so that no component can pass
/// for the host.
extension HSLinkClass {
  private static let shared = HSLinkClass(nil)

  /// The link of the host, the same at each call. It finds nothing until `use` was called.
  public static func shareObject() -> HSLinkClass { shared }

  /// Sets whose classes the host's link calls; nil if it has none.
  ///
  /// - Parameter switchboard: the switchboard of the host.
  public static func use(_ switchboard: Switchboard?) {
    shared.use(switchboard.map { TargetCaller($0, keeping: .never) })
  }
}
