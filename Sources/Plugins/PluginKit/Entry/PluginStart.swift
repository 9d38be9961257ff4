public import CSignetPlugin

extension Switchboard {
  /// Enters a plugin: calls its principal, and lets it register.
  ///
  /// The host calls this only for a module that was verified and loaded. If it throws, everything that the plugin
  /// registered is removed, and the plugin can no longer register anything.
  ///
  /// - Parameters:
  ///   - principal: the symbol that the module's description names.
  ///   - declaration: the declaration of the verified description.
  ///   - resources: where the module's resources come from.
  ///   - onEntered: called after the principal was made, before it registers anything.
  /// - Returns: the module's context.
  /// - Throws: `module.entered` if a module with this identifier was entered before, `plugin.version`,
  ///   `host.pluginkit-not-shared`, `plugin.failed`, and any `PluginError` that the plugin throws.
  @discardableResult public func enter(
    _ principal: signet_principal, _ declaration: ModuleDeclaration, resources: ModuleResources? = nil,
    onEntered: () -> Void = {}
  ) throws(PluginError) -> ModuleContext {
    let module = context(for: declaration, resources: resources)
    guard entered.write({ $0.insert(module.owner).inserted }) else {
      throw PluginError(
        .moduleEntered, "\(module.owner)", "was entered before", hint: "load only one module with this identifier")
    }
    let context = EntryContext(module)
    // Never released: the plugin's code stays, and may call at any time.
    _ = unsafe Unmanaged.passRetained(context)
    do throws(PluginError) {
      try unsafe Self.enter(principal, context, onEntered)
      return module
    } catch {
      removeAll(ownedBy: module.owner)
      throw error
    }
  }

  private static func enter(
    _ principal: signet_principal, _ context: EntryContext, _ onEntered: () -> Void
  ) throws(PluginError) {
    let name = "\(context.module.owner)"
    let size = unsafe UInt32(MemoryLayout<signet_plugin>.size)
    let version = UInt32(SIGNET_PLUGIN_VERSION)
    var plugin = unsafe signet_plugin(size: size, version: version, user: nil, did_load: nil)
    let host = unsafe UnsafePointer(context.host)
    try checkStatus(unsafe principal(host, &plugin), name, context)
    guard unsafe plugin.version == version, unsafe plugin.size >= size, let load = unsafe plugin.did_load else {
      throw PluginError(
        .pluginVersion, name, "was built for another version of the plugin interface",
        expected: "version \(version), \(size) bytes and did_load",
        found: unsafe "version \(plugin.version), \(plugin.size) bytes")
    }
    onEntered()
    try checkStatus(unsafe load(plugin.user, host), name, context)
  }

  private static func checkStatus(_ status: Int32, _ name: String, _ context: EntryContext) throws(PluginError) {
    switch Int(status) {
    case SIGNET_OK: return
    case SIGNET_ERROR_VERSION:
      throw PluginError(
        .pluginVersion, name, "was built for another version of the plugin interface",
        expected: "version \(SIGNET_PLUGIN_VERSION)", hint: "build the plugin with this host's PluginKit")
    case SIGNET_ERROR_NOT_SHARED:
      throw PluginError(
        .pluginKitNotShared, name, "has its own copy of PluginKit", expected: "the host's PluginKit",
        hint: "build the plugin in its own package, and link the dynamic library PluginKit")
    default:
      let error = context.failure.read { $0 }
      // A plugin that returns the status of a failed call fails for the reason of that call.
      if let error = error as? PluginError, status == EntryContext.status(of: error) { throw error }
      throw PluginError(.pluginFailed, name, "failed in its entry function", found: "status \(status)", cause: error)
    }
  }
}
