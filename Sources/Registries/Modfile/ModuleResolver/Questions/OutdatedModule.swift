public import SignetBase
public import SignetNames

/// A locked release for which there is a newer one, which was withdrawn, or which is offered no longer.
public struct OutdatedModule: Sendable {
  /// The module's identifier.
  public let identifier: ModuleIdentifier
  /// The version in the lock.
  public let locked: SemanticVersion
  /// The newest version that the Modfile and all locked modules accept, or nil.
  public let newestFitting: SemanticVersion?
  /// The newest version that is offered, or nil.
  public let newest: SemanticVersion?
  /// Why the locked release was withdrawn; nil if it was not.
  public let yanked: String?
  /// Whether the locked release is still offered. One that is not cannot be installed anew: it is gone, or nobody whom the
  /// trust policy accepts has signed it.
  public let isOffered: Bool
}

extension ModuleLock {
  /// The modules for which a newer release is offered, and those whose release was withdrawn or is offered no longer, in
  /// the order of their identifiers.
  ///
  /// Pre-releases count only where the Modfile asks for them, and withdrawn releases never. Modules with an override and
  /// modules that no source may serve any longer are left out.
  ///
  /// - Throws: `resolve.bounds`, `resolve.offers`, and what the offers throw.
  public func outdated(
    _ modfile: Modfile, offers: any CandidateSource
  ) throws(SignetError) -> [OutdatedModule] {
    var book = OfferBook(modfile, offers)
    let requests = Dictionary(grouping: modfile.requests, by: \.identifier)
    var ranges: [ModuleIdentifier: [VersionRange]] = [:]
    for requirement in modules.flatMap(\.requirements) {
      ranges[requirement.identifier, default: []].append(requirement.versions)
    }
    var outdated: [OutdatedModule] = []
    for module in modules where module.served != nil {
      let page = try book.page(of: module.identifier)
      guard case .source = page.origin else { continue }
      let lines = requests[module.identifier] ?? []
      let asks = lines.contains(where: \.versions.asksForPrereleases)
      let offered = page.releases.filter { $0.yanked == nil && !$0.isWaiting && (asks || !$0.version.isPrerelease) }
      let fitting = offered.filter { release in
        let version = release.version
        return modfile.supports(release.host) && lines.allSatisfy { $0.versions.contains(version) }
          && (ranges[module.identifier] ?? []).allSatisfy { $0.contains(version) }
      }
      .map(\.version)
      let locked = page.releases.first { $0.version.isSame(as: module.version) }
      guard locked == nil || locked?.yanked != nil || offered.last.map({ $0.version > module.version }) == true else {
        continue
      }
      outdated.append(
        OutdatedModule(
          identifier: module.identifier, locked: module.version, newestFitting: fitting.last,
          newest: offered.last?.version,
          yanked: locked?.yanked, isOffered: locked != nil))
    }
    return outdated
  }
}
