extension Switchboard {
  /// What may happen to URLs that no module serves; nil, as at first: nothing.
  public var externalOpening: ExternalOpening? {
    get { outside.read { $0 } }
    set {
      // What the last value holds is released outside of the lock.
      let last = outside.write { opening in
        defer { opening = newValue }
        return opening
      }
      withExtendedLifetime(last) {}
    }
  }

  /// What happens to a URL that the router does not open.
  ///
  /// A URL of a module is never opened outside, and neither is one that a browser would take for it: a module that is
  /// refused must not be reached on the web instead. Nor is a URL whose scheme has routes, of a module or of the host.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - error: the router's error. Only a URL without a route can be opened outside.
  public func outcome(of url: String, after error: PluginError) -> ExternalOutcome {
    guard let opening = externalOpening, let outer = OuterURL(url) else { return .refused(error) }
    switch outer.scheme {
    case "http", "https":
      guard error.code == .routeNotFound else { return .refused(error) }
      guard opening.allowsWeb else { return .refused(outer.refusal("web pages")) }
      guard let origin = WebOrigin(outer) else { return .refused(outer.refusal("a host without a user's name")) }
      for (other, use) in origin.spellings.flatMap({ [($0, RouteUses.open), ($0, .object)] }) {
        do throws(PluginError) {
          _ = try router.match(other, for: use)
          return .refused(error)
        } catch {
          guard error.code == .routeNotFound else { return .refused(error) }
        }
      }
      return .web(url)
    case "file":
      guard error.code == .routeNotFound else { return .refused(error) }
      guard outer.isFile(below: opening.fileRoots) else {
        return .refused(outer.refusal("a file in a folder that the host names"))
      }
      return .web(url)
    case let scheme:
      // A URL such as tel:1 may not be one for the router.
      guard error.code == .routeNotFound || (error.code == .urlMalformed && !outer.hasAuthority),
        !reservedSchemes.contains(scheme), !router.state.read({ $0.tree.hasScheme(scheme) }), opening.canOpen(url)
      else { return .refused(error) }
      return .external(url)
    }
  }
}
