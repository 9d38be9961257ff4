internal import PluginHost
internal import PluginKit
internal import Signet

/// The bundles of a manifest, and their rules by the URLs that they are for.
struct SMBundleTable: Sendable {
  private struct Place: Sendable {
    let bundle: Int
    let url: PluginURL
    var rules: [SMRule]
  }

  /// All bundles, in the order of the manifest.
  let bundles: [SMBundle]
  /// Rules that are not valid, as `pkg: key`, and why.
  let faults: [(rule: String, error: PluginError)]
  private let places: [PlaceKey: Place]

  init() {
    bundles = []
    faults = []
    places = [:]
  }

  /// - Parameters:
  ///   - base: what the URIs are relative to.
  ///   - isAllIn: whether a rule for a URI itself also is for the other default keys.
  init(_ manifest: HostManifest, base: String, entranceAppliesToAliases isAllIn: Bool, of host: PluginHost) {
    let named = NamedURLs(manifest.withDefaultRules(SMRules.defaults), base: base)
    var places: [PlaceKey: Place] = [:]
    var faults: [(rule: String, error: PluginError)] = []
    bundles = manifest.entries.map { entry in
      SMBundle(
        entry, uri: entry.url(base: base)?.text ?? entry.uri,
        rules: SMRules.merged(entry.rules, entranceAppliesToAliases: isAllIn), of: host)
    }
    for (index, bundle) in bundles.enumerated() where bundle.type == .host || bundle.identifier != nil {
      for (key, target) in bundle.rules.sorted(by: { $0.key < $1.key }) {
        do throws(PluginError) {
          let url = try PluginURL(bundle.uri + key)
          // What belongs to another bundle is that one's: the longest URI counts.
          guard named.index(for: url) == index else { continue }
          let place = PlaceKey(url, url.partCount)
          places[place, default: Place(bundle: index, url: url, rules: [])].rules.append(try SMRule(url, target))
        } catch {
          faults.append(("\(bundle.pkg ?? "main"): \(key)", error))
        }
      }
    }
    // A rule with a query comes before one without, and one with a fragment before one without.
    self.places = places.mapValues { place in
      var place = place
      place.rules.sort { $0.weight > $1.weight }
      return place
    }
    self.faults = faults
  }

  /// One URL for each place that has rules, without its query.
  var urls: [(url: PluginURL, bundle: SMBundle)] { places.values.map { ($0.url, bundles[$0.bundle]) } }

  /// What a URL stands for; nil if no rule is for it.
  func match(_ url: PluginURL) -> SMMatch? {
    guard let place = places[PlaceKey(url, url.partCount)] else { return nil }
    let endsInSlash = SMRule.endsInSlash(url)
    return place.rules.first { $0.matches(url, endsInSlash: endsInSlash) }?.match(url, bundles[place.bundle])
  }
}

extension SMRule {
  /// How much a URL has to have for the rule.
  fileprivate var weight: Int { (items == nil ? 0 : 2) + (fragment == nil ? 0 : 1) }
}
