internal import ModuleCatalog
internal import ModuleResolver
public import Signet
public import SignetBase
internal import SignetCrypto

extension RegistryAccess {
  /// The releases that are there and wait for their minimum age, of each module that was asked for: from when on they may be
  /// chosen.
  public var waiting: [ModuleIdentifier: [(version: SemanticVersion, until: UnixTime)]] {
    leftOut.mapValues { releases in releases.compactMap { each in each.until.map { (each.version, $0) } } }
  }

  /// The releases that came too recently, by their sequences. What the lock has, or somebody has named, need not wait.
  func waiting(
    _ releases: [ModuleRelease], of module: ModuleIdentifier, from source: ModuleSource
  ) throws(SignetError) -> [Int: SpecOffers.LeftOut] {
    let now = settings.clock.now()
    guard let rule = AgeRule(settings.policy, or: settings.minimumAge, at: now), !releases.isEmpty else { return [:] }
    let arrivals = try offers(of: source).arrivals(of: module)
    let known = releases.map {
      AgeRule.Release($0.sequence, $0.version, $0.archive.sha256, cameAt: arrivals[$0.sequence] ?? now)
    }
    var waiting: [Int: SpecOffers.LeftOut] = [:]
    let locked = lock?[module].flatMap { locked in
      locked.served?.digests.map { AgeRule.Release(locked.sequence, locked.version, $0.archive, cameAt: now) }
    }
    let times = rule.waiting(known, of: module, after: locked) { release in
      settings.exceptions.new.contains { $0.isOf(module, release.version) }
    }
    for release in releases {
      guard let time = times[release.sequence] else { continue }
      waiting[release.sequence] = SpecOffers.LeftOut(
        version: release.version, error: rule.refusal(of: module, release.version, until: time), until: time)
    }
    return waiting
  }
}
