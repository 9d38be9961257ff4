public import CSignetPlugin

/// The principal of a plugin in Swift. It is made once, and called when its module is loaded.
///
/// ```swift
/// final class Player: Plugin {
///   func moduleDidLoad(_ context: ModuleContext) throws {
///     try context.register(route: "ui://player/:track") { request in Page(request.text("track")) }
///   }
/// }
///
/// @c(player_main) public func playerMain(
///   _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
/// ) -> Int32 { PluginEntry.enter(Player(), host, plugin) }
/// ```
public protocol Plugin: AnyObject, Sendable {
  /// Registers the plugin's routes, targets, services and observers. The host calls it once, after it has loaded the
  /// plugin.
  ///
  /// - Parameter context: the plugin's access to the host. The plugin may keep it.
  /// - Throws: any error, which ends the loading of the module: a `PluginError` is reported as it is, any other error
  ///   as the cause of `plugin.failed`.
  func moduleDidLoad(_ context: ModuleContext) throws
}

/// The entry of a plugin in Swift, for its principal to call.
public enum PluginEntry {
  /// Enters a plugin: checks the host's interface and copy of PluginKit, and fills in the plugin's entry.
  ///
  /// - Parameters:
  ///   - plugin: the plugin. It is never released, as its code is never unloaded.
  ///   - host: the first argument of the principal.
  ///   - entry: the second argument of the principal.
  /// - Returns: the status for the principal to return: `SIGNET_OK`, `SIGNET_ERROR_VERSION` for a host or entry that
  ///   does not fit, or `SIGNET_ERROR_NOT_SHARED` if the plugin has its own copy of PluginKit.
  public static func enter(
    _ plugin: any Plugin, _ host: UnsafePointer<signet_host>?, _ entry: UnsafeMutablePointer<signet_plugin>?
  ) -> Int32 {
    guard let host = unsafe host, let entry = unsafe entry, unsafe signet_host_fits(host) != 0,
      unsafe entry.pointee.size >= MemoryLayout<signet_plugin>.size,
      unsafe entry.pointee.version == UInt32(SIGNET_PLUGIN_VERSION)
    else { return Int32(SIGNET_ERROR_VERSION) }
    // In a plugin with its own copy of PluginKit, types differ from the host's: casts would fail, or worse.
    guard unsafe host.pointee.plugin_kit == PluginKitIdentity.pointer else { return Int32(SIGNET_ERROR_NOT_SHARED) }
    unsafe entry.pointee.size = UInt32(MemoryLayout<signet_plugin>.size)
    unsafe entry.pointee.version = UInt32(SIGNET_PLUGIN_VERSION)
    unsafe entry.pointee.user = unsafe Unmanaged.passRetained(SwiftPlugin(plugin)).toOpaque()
    unsafe entry.pointee.did_load = { user, host in
      guard let user = unsafe user, let host = unsafe host,
        let context = unsafe EntryContext.of(host.pointee.context)
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      return unsafe Unmanaged<SwiftPlugin>.fromOpaque(user).takeUnretainedValue().load(context)
    }
    return Int32(SIGNET_OK)
  }
}

/// A plugin in Swift, as its entry keeps it.
final class SwiftPlugin: Sendable {
  private let plugin: any Plugin

  init(_ plugin: any Plugin) { self.plugin = plugin }

  func load(_ context: EntryContext) -> Int32 {
    do {
      try plugin.moduleDidLoad(context.module)
      return Int32(SIGNET_OK)
    } catch {
      context.failure.write { $0 = error }
      return (error as? PluginError).map(EntryContext.status(of:)) ?? Int32(SIGNET_ERROR_FAILED)
    }
  }
}

/// The identity of this copy of PluginKit.
@safe public enum PluginKitIdentity {
  /// An address that is the same for all users of one copy: that of the type `ModuleContext`.
  public static var pointer: UnsafeRawPointer {
    // Swift's definitions are protected symbols (ELF gABI, "Symbol Table"). So a copy sees its own type, whatever other
    // images define under the same name. This holds in debug and release, and with a host that exports all of its
    // symbols.
    unsafe unsafeBitCast(ModuleContext.self as AnyClass, to: UnsafeRawPointer.self)
  }
}

/// Returns ``PluginKitIdentity/pointer`` to C, and to a host that checks whether it links the copy that its modules
/// get.
@c(signet_plugin_kit_identity) public func signetPluginKitIdentity() -> UnsafeRawPointer {
  unsafe PluginKitIdentity.pointer
}
