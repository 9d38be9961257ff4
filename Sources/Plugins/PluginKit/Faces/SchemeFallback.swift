extension Router {
  /// Says whether URLs with this scheme that no other route serves go to routes for every scheme, such as `*://page`.
  ///
  /// Without this, such routes serve only schemes that no route and no refused module has. A module can allow it, too,
  /// for a scheme of its own; then this does not end it.
  public func setFallsBack(_ fallsBack: Bool, scheme: String) {
    state.write { $0.tree.schemeFallbacks.set(fallsBack, scheme, by: .host) }
  }

  /// Whether the host or a module lets URLs with this scheme go to routes for every scheme.
  public func fallsBack(scheme: String) -> Bool {
    state.read { $0.tree.schemeFallbacks.contains(scheme.lowercased()) }
  }

  /// Ends every fallback that an owner has allowed.
  package func endFallbacks(of owner: ModuleOwner) {
    state.write { state in
      // A context from before the owner's removal takes nothing of the next one away.
      if !state.removed.contains(owner) { state.tree.schemeFallbacks.removeAll(of: owner) }
    }
  }
}

extension ModuleContext {
  /// Says whether URLs with this scheme that no other route serves go to routes for every scheme, as
  /// ``Router/setFallsBack(_:scheme:)`` does. It ends with the module.
  ///
  /// It affects only URLs that would have no route, so the module comes before nobody by it.
  ///
  /// - Parameters:
  ///   - fallsBack: whether they do. What the host or another module allows stays allowed.
  ///   - scheme: the scheme of a route that the module's description declares.
  /// - Throws: `route.undeclared`, `module.removed`.
  public func setFallsBack(_ fallsBack: Bool, scheme: String) throws(PluginError) {
    guard declaration.hasScheme(scheme.lowercased()) else {
      throw PluginError(
        .routeUndeclared, PluginURL.shown(scheme),
        "is the scheme of no route that the description of \(owner) declares",
        hint: "add a route with this scheme to \"routes\" in module.json, and sign the module again")
    }
    try switchboard.router.state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      state.tree.schemeFallbacks.set(fallsBack, scheme, by: owner)
    }
  }

  /// Whether the host or a module lets URLs with this scheme go to routes for every scheme.
  public func fallsBack(scheme: String) -> Bool { switchboard.router.fallsBack(scheme: scheme) }

  /// Ends every fallback that the module has allowed.
  package func endFallbacks() { switchboard.router.endFallbacks(of: owner) }
}

extension ModuleDeclaration {
  /// Whether a route has this scheme.
  fileprivate func hasScheme(_ scheme: String) -> Bool {
    routes.contains { $0.shapes.contains { !$0.isGlobal && $0.scheme == scheme } }
  }
}
