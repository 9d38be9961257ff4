internal import PluginKit
internal import Signet

/// Which URLs a host's manifest gives to which module.
struct NamedURLs: Sendable {
  private struct Place: Sendable {
    let url: PluginURL
    /// nil for the host itself.
    let module: ModuleIdentifier?
  }

  private let places: [Place]

  init() { places = [] }

  init(_ manifest: HostManifest, base: String) {
    var places: [Place] = []
    for entry in manifest.entries where entry.kind == .host || entry.module != nil {
      // Of two entries with the same URI, the first counts.
      guard let url = entry.url(base: base), !places.contains(where: { Self.isSame($0.url, url) }) else { continue }
      places.append(Place(url: url, module: entry.module))
    }
    self.places = places
  }

  /// What is refused while a module is refused: its URIs, and everything below them.
  func patterns(of module: ModuleIdentifier) -> [RoutePattern] {
    places.filter { $0.module == module }.flatMap { Self.patterns($0.url) }
  }

  /// What is below these URIs and is given to others.
  func exceptions(of module: ModuleIdentifier) -> [RoutePattern] {
    let own = places.filter { $0.module == module }
    return places.filter { place in
      place.module != module
        && own.contains { place.url.lies(below: $0.url) && place.url.partCount > $0.url.partCount }
    }.flatMap { Self.patterns($0.url) }
  }

  /// Another module to which the manifest gives a URI above the pattern, in one of the pattern's readings; nil if there
  /// is none.
  func other(than module: ModuleIdentifier, for pattern: RoutePattern) -> ModuleIdentifier? {
    for text in pattern.expansions {
      // A reading of a pattern is itself a pattern.
      if let way = try? RoutePattern(text), let owner = owner(of: way), owner != module { return owner }
    }
    return nil
  }

  /// The module to which the manifest gives the URI above a pattern without optional parts; nil if it gives it to no
  /// module, or to the host. Of several URIs, the longest counts.
  private func owner(of pattern: RoutePattern) -> ModuleIdentifier? {
    var best: Place?
    for place in places where pattern.lies(below: place.url) && place.url.partCount > best?.url.partCount ?? -1 {
      best = place
    }
    return best?.module
  }

  private static func isSame(_ one: PluginURL, _ other: PluginURL) -> Bool {
    one.lies(below: other) && other.lies(below: one)
  }

  private static func patterns(_ url: PluginURL) -> [RoutePattern] {
    [false, true].compactMap { try? RoutePattern(of: url, andBelow: $0) }
  }
}
