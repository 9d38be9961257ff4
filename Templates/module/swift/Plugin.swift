{{imports}}

{{plugin}}

/// The principal that module.json names.
@c({{principal}}) public func {{name}}Main(
  _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
) -> Int32 { PluginEntry.enter({{object}}, host, plugin) }
