/// A URL as it is looked up in trees of routes.
struct RouteLookup {
  /// The key without the fragment.
  private(set) var key: RouteKey
  let parts: [String]
  /// The parts with those of the fragment, if that is a path and a pattern asks for it. They are looked up first.
  let fragmentParts: [String]?
  /// Whether routes above the URL are looked up, and not those that match it.
  private(set) var isFallback = false

  /// - Parameter readsFragment: whether a pattern asks for the fragment.
  init(_ url: PluginURL, readsFragment: Bool) {
    key = RouteKey(of: url)
    parts = url.parts
    fragmentParts = readsFragment ? url.partsWithFragment : nil
  }

  /// The same URL, looked up among routes for every scheme.
  var global: RouteLookup {
    var lookup = self
    lookup.key = key.global
    return lookup
  }

  /// The same URL, looked up among routes above it.
  var fallback: RouteLookup {
    var lookup = self
    lookup.isFallback = true
    return lookup
  }
}
