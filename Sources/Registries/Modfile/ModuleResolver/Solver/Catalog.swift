internal import SignetBase
internal import SignetNames

/// What is offered, asked for once. Two attempts of one resolution share it.
struct OfferBook {
  /// The most releases of one module.
  static let releaseLimit = 5000
  /// The most modules of a resolution.
  static let moduleLimit = 10_000

  let modfile: Modfile
  let offers: any CandidateSource
  private let overrides: [ModuleIdentifier: ModuleOverride]
  private var pages: [ModuleIdentifier: Page] = [:]

  /// What is offered of a module.
  struct Page {
    let origin: Origin
    /// The releases, oldest first.
    let releases: [CandidateRelease]
  }

  /// Who offers a module.
  enum Origin {
    case source(ModuleSource)
    case override(ModuleOverride)
    /// No source may serve the module.
    case nobody
  }

  init(_ modfile: Modfile, _ offers: any CandidateSource) {
    self.modfile = modfile
    self.offers = offers
    var overrides: [ModuleIdentifier: ModuleOverride] = [:]
    for request in modfile.requests {
      if let override = request.override { overrides[request.identifier] = override }
    }
    self.overrides = overrides
  }

  /// What is offered of a module.
  ///
  /// - Throws: `resolve.bounds`, `resolve.offers`, and what the offers throw.
  mutating func page(of module: ModuleIdentifier) throws(SignetError) -> Page {
    if let page = pages[module] { return page }
    guard pages.count < Self.moduleLimit else {
      throw SignetError(
        .resolveBounds, "\(module)", "is one module too many", expected: "at most \(Self.moduleLimit)")
    }
    let page = try ask(module)
    pages[module] = page
    return page
  }

  private func ask(_ module: ModuleIdentifier) throws(SignetError) -> Page {
    if let override = overrides[module] {
      let release = try offers.module(module, at: override)
      try Self.check(release, of: module, from: "\(override)")
      return Page(origin: .override(override), releases: [release])
    }
    guard let source = modfile.source(of: module) else { return Page(origin: .nobody, releases: []) }
    let found = try offers.releases(of: module, from: source)
    guard found.count <= Self.releaseLimit else {
      throw SignetError(
        .resolveBounds, "\(module)", "has too many releases in source \(source.name)",
        expected: "at most \(Self.releaseLimit)", found: "\(found.count)")
    }
    let releases = found.sorted { $0.version < $1.version }
    for release in releases { try Self.check(release, of: module, from: "source \(source.name)") }
    if let twice = zip(releases, releases.dropFirst()).first(where: { $0.version == $1.version }) {
      throw SignetError(
        .resolveOffers, "\(module)", "has a version twice in source \(source.name)", expected: "each version once",
        found: "\(twice.0.version) and \(twice.1.version)")
    }
    return Page(origin: .source(source), releases: releases)
  }

  private static func check(
    _ release: CandidateRelease, of module: ModuleIdentifier, from place: String
  ) throws(SignetError) {
    let object = "\(module) \(release.version)"
    guard (1...LockedModule.sequenceLimit).contains(release.sequence) else {
      throw SignetError(
        .resolveOffers, object, "has a sequence out of range in \(place)",
        expected: "1 to \(LockedModule.sequenceLimit)", found: "\(release.sequence)")
    }
    guard release.requirements.count <= ModuleRequirement.limit else {
      throw SignetError(
        .resolveBounds, object, "requires too many modules in \(place)",
        expected: "at most \(ModuleRequirement.limit)", found: "\(release.requirements.count)")
    }
    var known: Set<ModuleIdentifier> = [module]
    for requirement in release.requirements where !known.insert(requirement.identifier).inserted {
      throw SignetError(
        .resolveOffers, object, "requires itself, or a module twice, in \(place)",
        expected: "other modules, each once", found: "\(requirement.identifier)")
    }
  }
}

/// The modules of one attempt at a resolution. Each has a place, in the order in which they are found.
struct Catalog {
  /// The place of the host.
  static let root = 0

  /// A module, and its releases that may be chosen.
  struct Entry {
    /// Nil for the host.
    let identifier: ModuleIdentifier?
    let origin: OfferBook.Origin
    /// The releases that may be chosen, oldest first. State 1 is the first one.
    let releases: [CandidateRelease]
    /// Releases that may not, because the Modfile does not ask for pre-releases, because they were withdrawn, or because they came too recently.
    let leftOut: [CandidateRelease]

    /// Whether the release with this version was withdrawn by its publisher.
    func isWithdrawn(_ version: SemanticVersion) -> Bool {
      (releases + leftOut).contains { $0.version.isSame(as: version) && $0.yanked != nil }
    }

    /// Absence and the releases. The host has no release, and is present.
    var stateCount: Int { identifier == nil ? 2 : releases.count + 1 }
    func release(_ state: Int) -> CandidateRelease { releases[state - 1] }

    /// The states of the releases that a range accepts.
    func states(_ accepts: (SemanticVersion) -> Bool) -> StateSet {
      var states = StateSet(count: stateCount)
      for (index, release) in releases.enumerated() where accepts(release.version) { states.insert(index + 1) }
      return states
    }
  }

  private(set) var entries = [Entry(identifier: nil, origin: .nobody, releases: [], leftOut: [])]
  private var places: [ModuleIdentifier: Int] = [:]

  subscript(place: Int) -> Entry { entries[place] }

  /// The place of a module, if it was found.
  func place(of module: ModuleIdentifier) -> Int? { places[module] }

  /// Adds a module.
  mutating func add(_ module: ModuleIdentifier, _ page: OfferBook.Page, mayChoose: (CandidateRelease) -> Bool) -> Int
  {
    let place = entries.count
    places[module] = place
    entries.append(
      Entry(
        identifier: module, origin: page.origin, releases: page.releases.filter(mayChoose),
        leftOut: page.releases.filter { !mayChoose($0) }))
    return place
  }

  /// The module's name, for messages.
  func name(_ place: Int) -> String { entries[place].identifier.map { "\($0)" } ?? "the Modfile" }
}
