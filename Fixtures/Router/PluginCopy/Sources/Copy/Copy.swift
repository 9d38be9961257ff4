import CSignetPlugin
import PluginKit

/// A plugin like any other, but for whose PluginKit it has.
final class Copy: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try context.register(route: "demo://copy/c2/:name") { $0.text("name") }
  }
}

/// The principal.
@c(copy_main) public func copyMain(
  _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
) -> Int32 { PluginEntry.enter(Copy(), host, plugin) }
