public import ModuleStore
public import Signet
internal import SignetAddresses
public import SignetBase
internal import SignetCrypto

/// What the registry offers a host of a module: the newest release that the host can use.
///
/// An offer says what there is to get. What may load is decided by the host's policy, as always.
public struct ModuleOffer: Sendable {
  /// The module's description of itself.
  public let module: ModuleDescription
  /// What to download: the same archive from each mirror, the one to ask first in front.
  public let items: [DownloadItem]
  /// What the host has of the module, compared with the offer.
  public let availability: ModuleAvailability
}

extension PluginHost {
  /// Asks the registry for news, once for all modules.
  ///
  /// These are told as notices: a mirror that was left for another, a publisher or module that is left out because what it
  /// says cannot be verified or read, and an installed release that its publisher has withdrawn [`host.withdrawn`].
  ///
  /// - Returns: the newer releases of modules that are installed, in the order of the identifiers.
  /// - Throws: `host.no-registry`; what the registry throws (`tuf.…` if what it says is not to be believed). What was
  ///   known before is still offered as long as it has not expired.
  @discardableResult public func refreshOffers() async throws(SignetError) -> [ModuleOffer] {
    try await asking.run { [self] () throws(SignetError) in
      let offers = try registry().refreshed(at: context.configuration.clock.now())
      var updates: [ModuleOffer] = []
      for module in try context.store.listed() {
        guard let releases = try releases(of: module, offers) else { continue }
        tellIfWithdrawn(module, releases)
        guard let offer = try newest(releases, of: module, offers), case .updateAvailable = offer.availability else {
          continue
        }
        remember(waiverOf: offer, releases, offers)
        updates.append(offer)
      }
      for complaint in offers.complaints { context.records.tell(.notice(complaint)) }
      return updates
    }
  }

  /// The newest release of a module that the registry offers and this host can use, as of the last refresh.
  ///
  /// Withdrawn releases do not count, nor do those that are younger than the policy's minimum age, and those for other platforms or other versions of the host. A prerelease counts
  /// only while a prerelease is installed.
  ///
  /// - Returns: nil if the registry has no such release.
  /// - Throws: `host.no-registry`; what the registry throws.
  public func offer(of module: ModuleIdentifier) async throws(SignetError) -> ModuleOffer? {
    try await asking.run { [self] () throws(SignetError) in
      let offers = try registry().stored(at: context.configuration.clock.now())
      let releases = try offers.releases(of: module)
      guard let offer = try newest(releases, of: module, offers) else { return nil }
      remember(waiverOf: offer, releases, offers)
      return offer
    }
  }

  /// The list of a store: the offers of all modules in the registry, as of the last refresh, in the order of the
  /// identifiers.
  ///
  /// - Throws: `host.no-registry`; what the registry throws.
  public func offers() async throws(SignetError) -> [ModuleOffer] {
    try await asking.run { [self] () throws(SignetError) in
      let offers = try registry().stored(at: context.configuration.clock.now())
      var list: [ModuleOffer] = []
      for module in try offers.modules() {
        if let releases = try releases(of: module, offers), let offer = try newest(releases, of: module, offers) {
          list.append(offer)
        }
      }
      for complaint in offers.complaints { context.records.tell(.notice(complaint)) }
      return list
    }
  }

  /// What the host has of a module, compared with what the registry offers, as of the last refresh.
  ///
  /// - Returns: nil if the registry offers no release that the host can use.
  /// - Throws: `host.no-registry`; what the registry throws.
  public func availability(of module: ModuleIdentifier) async throws(SignetError) -> ModuleAvailability? {
    try await offer(of: module)?.availability
  }

  /// Fetches the release that the registry offers of a module, verifies it and installs it.
  ///
  /// Mirrors are asked in their order. One that fails, or has other bytes, is left for the next.
  ///
  /// - Returns: the module's identifier and its sequence.
  /// - Throws: `host.no-registry`, `host.not-offered`; what the registry throws; what ``download(_:)-(DownloadItem)`` throws
  ///   for the last mirror.
  @discardableResult public func download(
    _ module: ModuleIdentifier
  ) async throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    guard let offer = try await offer(of: module), let last = offer.items.last else {
      throw SignetError(
        .hostNotOffered, "\(module)", "is not offered in a release that this host can use",
        expected: "a release for this platform and host that was not withdrawn",
        hint: "refresh the offers, or ask the module's publisher")
    }
    for item in offer.items.dropLast() {
      do throws(SignetError) { return try await download(item) } catch  where Self.isOfMirror(error) {
        context.records.tell(.notice(error))
      }
    }
    return try await download(last)
  }

  /// Whether another mirror may do better.
  private static func isOfMirror(_ error: SignetError) -> Bool {
    [.digestMismatch, .fetchOtherRelease, .fetchItem].contains(error.code)
      || Set.aboutTransfers.contains(error.code) && ![.fetchCancelled, .fetchUnavailable].contains(error.code)
  }

  private func registry() throws(SignetError) -> any ReleaseSource {
    guard let registry = context.configuration.registry else {
      throw SignetError(
        .hostNoRegistry, "the host", "has no registry to ask", expected: "Configuration.registry",
        hint: "import ModuleCatalog and give the host one")
    }
    return registry
  }

  /// The releases of a module; nil, and a notice, if its publisher is at fault. The other modules are offered all the same.
  private func releases(
    of module: ModuleIdentifier, _ offers: any ReleaseOffers
  ) throws(SignetError) -> [OfferedRelease]? {
    do throws(SignetError) { return try offers.releases(of: module) } catch  where offers.isOfPublisher(error) {
      context.records.tell(.notice(error))
      return nil
    }
  }

  private func tellIfWithdrawn(_ module: ModuleIdentifier, _ releases: [OfferedRelease]) {
    guard let installed = context.store.lastAccepted(module),
      let reason = releases.first(where: { $0.module.sequence == installed.sequence })?.withdrawn
    else { return }
    context.records.tell(
      .notice(
        SignetError(
          .hostWithdrawn, "\(module) \(installed.version)", "is installed, and its publisher has withdrawn it",
          found: reason.display, hint: "install another release")))
  }

  /// The newest release that the host can use, and that came long enough ago.
  private func newest(
    _ releases: [OfferedRelease], of module: ModuleIdentifier, _ offers: any ReleaseOffers
  ) throws(SignetError) -> ModuleOffer? {
    let waiting = try waiting(releases, of: module, offers)
    guard let release = releases.last(where: { isUsable($0) && waiting[$0.module.sequence] == nil }) else {
      return nil
    }
    let module = release.module
    return ModuleOffer(
      module: module, items: release.items,
      availability: availability(of: module.identifier, version: module.version, sequence: module.sequence))
  }

  /// Keeps the waiver of an offered release until it is installed. One that cannot be had is told.
  private func remember(waiverOf offer: ModuleOffer, _ releases: [OfferedRelease], _ offers: any ReleaseOffers) {
    let (module, sequence) = (offer.module.identifier, offer.module.sequence)
    guard let release = releases.first(where: { $0.module.sequence == sequence }), release.hasWaiver else { return }
    do throws(SignetError) {
      guard let text = try offers.waiver(of: release) else { return }
      context.waivers.withLock { $0[module] = PublishedWaiver(sequence: sequence, text: text) }
    } catch { context.records.tell(.notice(error)) }
  }

  /// The releases that are too young by the policy.
  private func waiting(
    _ releases: [OfferedRelease], of module: ModuleIdentifier, _ offers: any ReleaseOffers
  ) throws(SignetError) -> [Int: UnixTime] {
    let now = context.configuration.clock.now()
    guard let rule = AgeRule(context.policy, at: now), !releases.isEmpty else { return [:] }
    let arrivals = try offers.arrivals(of: module)
    let known = releases.compactMap { release -> AgeRule.Release? in
      guard let item = release.items.first else { return nil }
      let (sequence, version) = (release.module.sequence, release.module.version)
      return AgeRule.Release(sequence, version, item.sha256, cameAt: arrivals[sequence] ?? now)
    }
    let has = context.store.lastAccepted(module).map { AgeRule.Release($0.sequence, $0.version, nil, cameAt: now) }
    return rule.waiting(known, of: module, after: has)
  }

  private func isUsable(_ release: OfferedRelease) -> Bool {
    let module = release.module
    guard release.withdrawn == nil else { return false }
    if let range = module.requirements.host {
      guard let version = context.configuration.version, range.contains(version) else { return false }
    }
    if !module.binaries.isEmpty {
      guard let platform = ModulePlatform.current, module.binaries[platform] != nil else { return false }
    }
    guard module.version.isPrerelease else { return true }
    return context.store.lastAccepted(module.identifier)?.version.isPrerelease ?? false
  }
}
