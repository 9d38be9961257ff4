public import SignetBase
public import SignetNames

/// Chooses a release of each module that a Modfile needs (docs/modfile.md).
public enum ModuleResolver {
  /// What is kept of the lock.
  public enum Mode: Sendable {
    /// Each locked release that still fits.
    case install
    /// Nothing.
    case update
    /// All but these modules.
    case updateOnly([ModuleIdentifier])
  }

  /// Resolves a Modfile.
  ///
  /// - Parameter lock: the releases that the host has; nil if it has none.
  /// - Throws: `resolve.conflict`, `resolve.missing`, `resolve.cycle` with a ``ConflictExplanation`` as the cause;
  ///   `resolve.not-locked` for an update of a module that the lock does not have; `resolve.release-changed`,
  ///   `resolve.too-hard`, `resolve.bounds`, `resolve.offers`, and what the offers throw.
  public static func resolve(
    _ modfile: Modfile, lock: ModuleLock? = nil, mode: Mode = .install, offers: any CandidateSource
  ) throws(SignetError) -> Resolution {
    let attempt = try ResolutionAttempt(modfile, lock, mode)
    var book = OfferBook(modfile, offers)
    if attempt.keepsAny {
      // If all locked releases can stay, they do. Only otherwise some of them are given up.
      var solver = Solver(book, attempt.rules(isStrict: true))
      if case .solved(let states) = try solver.run() { return try attempt.resolution(solver.catalog, states) }
      book = solver.usedBook
    }
    var solver = Solver(book, attempt.rules(isStrict: false))
    switch try solver.run() {
    case .solved(let states): return try attempt.resolution(solver.catalog, states)
    case .failed(let failure): throw solver.error(failure)
    }
  }
}

/// What a resolution keeps of a lock, and how it differs from it.
struct ResolutionAttempt {
  private let lock: ModuleLock?
  /// The locked releases that may stay.
  private let kept: [ModuleIdentifier: LockedModule]
  /// The modules of which pre-releases may be chosen.
  private let prereleases: Set<ModuleIdentifier>
  /// The modules whose locked release a line of the Modfile does not accept.
  private let unwanted: Set<ModuleIdentifier>

  init(_ modfile: Modfile, _ lock: ModuleLock?, _ mode: ModuleResolver.Mode) throws(SignetError) {
    self.lock = lock
    let requests = modfile.requests
    prereleases = Set(requests.filter(\.versions.asksForPrereleases).map(\.identifier))
    var kept: [ModuleIdentifier: LockedModule] = [:]
    for module in lock?.modules ?? [] {
      guard let served = module.served, modfile.source(of: module.identifier)?.name == served.source,
        !module.version.isPrerelease || prereleases.contains(module.identifier)
      else { continue }
      kept[module.identifier] = module
    }
    switch mode {
    case .install: break
    case .update: kept = [:]
    case .updateOnly(let modules):
      for module in modules {
        guard lock?[module] != nil else {
          throw SignetError(
            .resolveNotLocked, "\(module)", "is not in the lock, so it cannot be updated",
            expected: "a module of Modfile.lock", hint: "install first, or correct the name")
        }
        kept[module] = nil
      }
    }
    unwanted = Set(
      requests.filter { request in
        lock?[request.identifier].map { !request.versions.contains($0.version) } ?? false
      }.map(\.identifier))
    for request in requests {
      guard let module = kept[request.identifier] else { continue }
      if !request.versions.contains(module.version) || request.override != nil { kept[request.identifier] = nil }
    }
    self.kept = kept
  }

  /// Whether any locked release may stay.
  var keepsAny: Bool { !kept.isEmpty }

  /// What may be chosen.
  ///
  /// - Parameter isStrict: whether locked releases are the only ones of their modules, or just preferred.
  func rules(isStrict: Bool) -> Solver.Rules {
    Solver.Rules(
      mayChoose: { module, page in
        if case .override = page.origin { return { _ in true } }
        let locked = kept[module]?.version
        let isOffered = page.releases.contains { $0.version.isSame(as: locked) }
        return { release in
          if release.version.isSame(as: locked) { return true }
          if isStrict, isOffered { return false }
          return release.yanked == nil && !release.isWaiting
            && (!release.version.isPrerelease || prereleases.contains(module))
        }
      },
      preferred: { kept[$0]?.version })
  }

  /// The chosen releases, and how they differ from the lock.
  ///
  /// - Throws: `resolve.release-changed`.
  func resolution(
    _ catalog: Catalog, _ states: [(module: Int, state: Int)]
  ) throws(SignetError) -> Resolution {
    var modules: [Resolution.ResolvedModule] = []
    var changes: [(module: ModuleIdentifier, change: Resolution.Change)] = []
    var remarks: [(module: ModuleIdentifier, remark: Resolution.Remark)] = []
    var chosen: Set<ModuleIdentifier> = []
    for (place, state) in states {
      let entry = catalog[place]
      guard let identifier = entry.identifier, state > 0 else { continue }
      let release = entry.release(state)
      let origin: Resolution.Origin
      switch (entry.origin, release.content) {
      case (.override(let override), _): origin = .override(override)
      case (.source(let source), let content?): origin = .source(source, content)
      default: continue
      }
      chosen.insert(identifier)
      modules.append(
        Resolution.ResolvedModule(identifier: identifier, release: release, origin: origin))
      if let reason = release.yanked {
        remarks.append((identifier, .withdrawn(identifier, release.version, reason: reason)))
      }
      guard let locked = lock?[identifier] else {
        changes.append((identifier, .added(identifier, release.version)))
        continue
      }
      let isSame = release.version.isSame(as: locked.version) && Self.isSame(origin, locked.origin)
      if isSame {
        try check(locked, release, origin)
      } else {
        changes.append((identifier, Self.change(of: locked, to: release.version, origin)))
      }
      if release.sequence < locked.sequence {
        let cause = cause(identifier, origin, locked, isWithdrawn: entry.isWithdrawn(locked.version))
        remarks.append(
          (identifier, .sequenceFell(identifier, from: locked.sequence, to: release.sequence, because: cause)))
      }
      let isKept = kept[identifier] != nil
      if isKept, !(entry.releases + entry.leftOut).contains(where: { $0.version.isSame(as: locked.version) }) {
        remarks.append((identifier, .notOffered(identifier, locked.version)))
      }
    }
    for locked in lock?.modules ?? [] where !chosen.contains(locked.identifier) {
      changes.append((locked.identifier, .removed(locked.identifier, locked.version)))
    }
    return Resolution(
      modules: modules.sorted { $0.identifier.precedes($1.identifier) },
      changes: changes.sorted { $0.module.precedes($1.module) }.map(\.change),
      remarks: remarks.sorted { $0.module.precedes($1.module) }.map(\.remark))
  }

  private static func isSame(_ origin: Resolution.Origin, _ locked: LockedModule.Origin) -> Bool {
    switch (origin, locked) {
    case (.source(let source, _), .source(let served)): source.name == served.source
    case (.override(let override), .override(let known)): override == known
    default: false
    }
  }

  /// The change of a locked module. Where it comes from is told if that is another place.
  private static func change(
    of locked: LockedModule, to version: SemanticVersion, _ origin: Resolution.Origin
  ) -> Resolution.Change {
    let isElsewhere = !isSame(origin, locked.origin)
    let before =
      switch locked.origin {
      case .source(let served): "source \(served.source)"
      case .override(let override): "\(override)"
      }
    let now =
      switch origin {
      case .source(let source, _): "source \(source.name)"
      case .override(let override): "\(override)"
      }
    return .changed(
      locked.identifier,
      from: Resolution.ChangedRelease(version: locked.version, place: isElsewhere ? before : nil),
      to: Resolution.ChangedRelease(version: version, place: isElsewhere ? now : nil))
  }

  private func cause(
    _ module: ModuleIdentifier, _ origin: Resolution.Origin, _ locked: LockedModule, isWithdrawn: Bool
  ) -> Resolution.FallCause {
    switch (origin, locked.origin) {
    case (.override(let override), _): .override(override)
    case (.source, .override(let override)): .endOfOverride(override)
    case (.source, .source):
      isWithdrawn ? .withdrawal(locked.version) : unwanted.contains(module) ? .demand : .choice
    }
  }

  /// A version of a source keeps its bytes for ever; so the lock's digests must be those of the offer.
  private func check(
    _ locked: LockedModule, _ release: CandidateRelease, _ origin: Resolution.Origin
  ) throws(SignetError) {
    guard case .source(let source, let content) = origin, let served = locked.served else { return }
    guard served.content != content || locked.sequence != release.sequence else { return }
    throw SignetError(
      .resolveReleaseChanged, "\(locked.identifier) \(locked.version)",
      "is not what it was in source \(source.name) when it was locked",
      expected: "sequence \(locked.sequence), \(served.content.words)",
      found: "sequence \(release.sequence), \(content.words)",
      hint: "ask who runs the source why a released version has changed")
  }
}

extension SemanticVersion {
  /// Whether the version precedes its release (Semantic Versioning, item 9). A hyphen in build metadata does not count.
  var isPrerelease: Bool {
    description.utf8.prefix { $0 != UInt8(ascii: "+") }.contains(UInt8(ascii: "-"))
  }

  /// Whether a version is the same text, build metadata included.
  func isSame(as other: SemanticVersion?) -> Bool { other.map { description.isExactly($0.description) } ?? false }
}
