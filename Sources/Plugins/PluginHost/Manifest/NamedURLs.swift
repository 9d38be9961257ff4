internal import ModuleStore
public import PluginKit
internal import Signet

/// Which URLs a host's manifest gives to which module.
package struct NamedURLs: Sendable {
  private struct Place: Sendable {
    let url: PluginURL
    /// The entry's place in the manifest.
    let index: Int
    /// nil for the host itself.
    let module: ModuleIdentifier?
  }

  /// The manifest's entries, and what their URIs are relative to.
  private let source: (entries: [HostManifest.Entry], base: String)
  private let places: [Place]
  /// The indexes of the places by their URLs.
  private let byURL: [PlaceKey: Int]
  /// The numbers of parts that places have, the greatest first.
  private let lengths: [Int]

  init() {
    source = ([], "")
    places = []
    byURL = [:]
    lengths = []
  }

  /// - Parameter all: whether entries count whose name no module can have.
  package init(_ manifest: HostManifest, base: String, all: Bool = false) {
    var places: [Place] = []
    var byURL: [PlaceKey: Int] = [:]
    func add(_ url: PluginURL, _ index: Int) {
      // Of two entries with the same URI, the first counts.
      let key = PlaceKey(url, url.partCount)
      guard byURL[key] == nil else { return }
      byURL[key] = places.count
      places.append(Place(url: url, index: index, module: manifest.entries[index].module))
    }
    let known = manifest.entries.indices.filter { index in
      all || manifest.entries[index].kind == .host || manifest.entries[index].module != nil
    }
    for index in known { if let url = manifest.entries[index].url(base: base) { add(url, index) } }
    // An ending is no entry's URI, unless it is written as one.
    for index in known { for url in manifest.entries[index].aliases(base: base) { add(url, index) } }
    source = (manifest.entries, base)
    self.places = places
    self.byURL = byURL
    lengths = Set(places.map(\.url.partCount)).sorted(by: >)
  }

  /// Whether these are the URLs that a manifest gives.
  func isOf(_ manifest: HostManifest, base: String) -> Bool {
    source.entries == manifest.entries && source.base.utf8.elementsEqual(base.utf8)
  }

  /// The place in the manifest of the entry to which a URL belongs; nil if it belongs to none.
  package func index(for url: PluginURL) -> Int? { place(for: url)?.index }

  /// The longest place at or above a URL.
  private func place(for url: PluginURL) -> Place? {
    for length in lengths where length <= url.partCount {
      if let found = byURL[PlaceKey(url, length)] { return places[found] }
    }
    return nil
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

  /// Another module to which the manifest gives a URI above the pattern, in one of the pattern's readings, or nil.
  func other(than module: ModuleIdentifier, for pattern: RoutePattern) -> ModuleIdentifier? {
    for reading in pattern.readings {
      if let owner = owner(of: reading), owner != module { return owner }
    }
    return nil
  }

  /// The URIs that the manifest gives to other modules.
  func others(than module: ModuleIdentifier) -> [PluginURL] {
    places.filter { $0.module != nil && $0.module != module }.map(\.url)
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

  private static func patterns(_ url: PluginURL) -> [RoutePattern] {
    [false, true].map { RoutePattern(matching: url, andBelow: $0) }
  }
}

extension HostManifest {
  /// The entry for a URL: the one whose URI is the beginning of the URL, part by part.
  ///
  /// If there are several, the longest URI counts; of two entries with the same URI, the first.
  ///
  /// - Parameters:
  ///   - url: the URL; its query and fragment do not count.
  ///   - base: what URIs are relative to, such as `ui://` or `https://example.com/demo/`.
  /// - Returns: nil if the URL belongs to no entry.
  public func entry(for url: PluginURL, base: String) -> Entry? {
    NamedURLs(self, base: base, all: true).index(for: url).map { entries[$0] }
  }
}

/// The scheme and the first parts of a URL, which compare byte by byte.
package struct PlaceKey: Hashable, Sendable {
  private let bytes: [UInt8]

  /// - Parameter length: how many parts count.
  package init(_ url: PluginURL, _ length: Int) {
    // No part has a control character, so a zero separates them.
    var bytes = Array(url.scheme.utf8)
    bytes.append(url.form == .opaque ? 1 : 0)
    let parts = url.form == .opaque ? url.segments : [url.host] + url.segments
    for part in parts.prefix(length) {
      bytes += part.utf8
      bytes.append(0)
    }
    self.bytes = bytes
  }
}
