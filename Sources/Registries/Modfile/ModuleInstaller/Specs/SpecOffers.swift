internal import ModuleResolver
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What a repository of specs offers to a Modfile.
///
/// A Modfile and a host know a module by its identifier, a repository of specs by its name. Each spec that has both joins
/// them. Anybody who may add a spec can state any name and any identifier. So a spec counts for a module only if signers
/// of the module have signed it, and a spec that is wrong takes nothing from the others.
struct SpecOffers {
  /// A spec with what a repository says beside it.
  struct Offer: Sendable {
    let spec: ModuleSpec
    let identifier: ModuleIdentifier
    let release: SpecTree.Release
    /// The name of the source.
    let source: ModfileName

    /// The release, for messages.
    var name: String { "\(spec.name) \(spec.version)" }

    /// Verifies the spec: its signers must be trusted for the module. A spec says which commit and which file are meant, so
    /// both are as good as it, and no place that it names is asked before.
    ///
    /// - Throws: `spec-repo.unverified`, with the reason as its cause.
    func verify(by verifier: Verifier) throws(SignetError) {
      try release.verify(by: verifier, of: "\(source)")
    }
  }

  /// A module that a release requires.
  struct Requirement: Sendable {
    let module: ModuleRequirement
    /// Whether the spec names no range, so that the module's description has it.
    let leavesRangeOpen: Bool
  }

  private let verifier: Verifier?
  private var offers: [ModuleIdentifier: [Offer]] = [:]
  /// The modules that a name may stand for, by its bytes. An identifier is a name of its module.
  private var named: [[UInt8]: Set<ModuleIdentifier>] = [:]

  /// Reads the specs of a source.
  ///
  /// - Parameters:
  ///   - verifier: whom the host trusts; nil if that is not known. Then no signature is looked at, and a name that specs
  ///     dispute stands for nothing.
  ///   - complain: is told why a spec does not decide what its name stands for.
  /// - Throws: `spec.…` for a spec that was not read before.
  init(
    _ tree: SpecTree, of source: ModuleSource, verifiedBy verifier: Verifier? = nil,
    _ complain: (SignetError) -> Void = { _ in }
  ) throws(SignetError) {
    self.verifier = verifier
    for release in tree.releases {
      let spec = try ModuleSpec(json: release.spec)
      guard let identifier = spec.identifier else { continue }
      let offer = Offer(spec: spec, identifier: identifier, release: release, source: source.name)
      offers[identifier, default: []].append(offer)
      named[Array(spec.name.utf8), default: []].insert(identifier)
      named[Array("\(identifier)".utf8), default: []].insert(identifier)
    }
    guard let verifier else { return }
    let disputed = named.filter { $0.value.count > 1 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (name, modules) in disputed {
      // One signed spec is enough: it is the module's own signers who call it so.
      let stated = modules.sorted(by: Self.precede).filter { isStated(name, of: $0, by: verifier, complain) }
      if !stated.isEmpty { named[name] = Set(stated) }
    }
  }

  /// Whether signers of a module call it by a name.
  private func isStated(
    _ name: [UInt8], of module: ModuleIdentifier, by verifier: Verifier, _ complain: (SignetError) -> Void
  ) -> Bool {
    var refusal: SignetError?
    for offer in offers[module] ?? []
    where name.elementsEqual(offer.spec.name.utf8) || name.elementsEqual("\(module)".utf8) {
      do throws(SignetError) {
        try offer.verify(by: verifier)
        return true
      } catch { refusal = error }
    }
    if let refusal { complain(refusal) }
    return false
  }

  private static func precede(_ left: ModuleIdentifier, _ right: ModuleIdentifier) -> Bool {
    "\(left)".precedesInBytes("\(right)")
  }

  // MARK: Candidates

  /// A release that is there and does not count.
  struct LeftOut: Sendable {
    let version: SemanticVersion
    /// Why.
    let error: SignetError
    /// From when on it may be chosen, if it only waits for that.
    var until: UnixTime?
  }

  /// The releases of a module that can be installed.
  ///
  /// A release that is not signed as the policy demands is left out, unless the lock has it: then the installation says why
  /// it is refused.
  ///
  /// - Parameters:
  ///   - release: the release that the lock has.
  ///   - complain: is told why releases are left out. Those that are older than one that can be installed get one line.
  ///   - leaveOut: is told of each release that is left out, the newest first.
  func candidates(
    of module: ModuleIdentifier, locked release: LockedModule? = nil, _ complain: (SignetError) -> Void,
    leavingOut leaveOut: (LeftOut) -> Void = { _ in }
  ) -> [CandidateRelease] {
    var found: [(offer: Offer, candidate: CandidateRelease, isLocked: Bool)] = []
    var leftOut: [LeftOut] = []
    let kept = release.map { offers(thatMayBe: $0) } ?? []
    for offer in offers[module] ?? [] {
      do throws(SignetError) {
        try offer.checkPlatform()
        let isLocked = kept.contains { $0.release.path.isExactly(offer.release.path) }
        if let verifier, !isLocked { try offer.verify(by: verifier) }
        found.append((offer, try candidate(offer), isLocked))
      } catch { leftOut.append(LeftOut(version: offer.spec.version, error: error)) }
    }
    // A version is a release's only name for a range, and versions that differ in build metadata are the same one. The
    // release that was there first has it: sequences rise.
    found.sort { left, right in
      if left.isLocked != right.isLocked { return left.isLocked }
      return left.candidate.sequence < right.candidate.sequence
    }
    var first: [SemanticVersion: Offer] = [:]
    let candidates = found.compactMap { offer, candidate, _ -> CandidateRelease? in
      guard let other = first[candidate.version] else {
        first[candidate.version] = offer
        return candidate
      }
      let error = unusable(
        offer, "has the version of another release, and is left out", expected: "each version once",
        found: "\(other.name), sequence \(other.spec.sequence ?? 0)")
      leftOut.append(LeftOut(version: offer.spec.version, error: error))
      return nil
    }
    leftOut.sort { $0.version > $1.version }
    for each in leftOut { leaveOut(each) }
    tell(
      of: leftOut.filter { !$0.isForOtherPlatforms }, module, newest: first.keys.filter { !$0.isPrerelease }.max(),
      complain)
    return candidates
  }

  /// Says what is left out: a release that would be the newest with the reason, and all that are older in one line. Those
  /// would be chosen by nobody who has not asked for them, and who has is told why there is none.
  private func tell(
    of leftOut: [LeftOut], _ module: ModuleIdentifier, newest: SemanticVersion?, _ complain: (SignetError) -> Void
  ) {
    func isOld(_ each: LeftOut) -> Bool { newest.map { each.version < $0 } ?? false }
    let unverified = leftOut.filter { !isOld($0) && $0.error.code == .specRepositoryUnverified }
    if var error = SignetError.combined(unverified.map { ("\($0.version)", $0.error) }) {
      error.hint = error.hint.map { "\($0); until then the release is left out" }
      complain(error)
    }
    for each in leftOut where !isOld(each) && each.error.code != .specRepositoryUnverified { complain(each.error) }
    let old = leftOut.filter(isOld)
    guard let newest = old.first, let oldest = old.last else { return }
    complain(
      SignetError(
        newest.error.code, "\(module)",
        old.count == 1
          ? "has an older release that is left out: \(newest.version)"
          : "has \(old.count) older releases that are left out: \(oldest.version) to \(newest.version)"))
  }

  private func candidate(_ offer: Offer) throws(SignetError) -> CandidateRelease {
    let spec = offer.spec
    guard let sequence = spec.sequence, let release = try content(of: offer) else {
      throw unusable(offer, "lacks what an installation needs", expected: "sequence, source.git and source.commit")
    }
    // A spec that was pushed is never withdrawn, and does not say which hosts the release supports: only the module's
    // description does, which is compared once it is there.
    return CandidateRelease(
      version: spec.version, sequence: sequence, requirements: try requirements(of: offer).map(\.module),
      hasBinary: release.archive != nil, content: .spec(release))
  }

  /// What a lock records of a release; nil if its spec does not name a commit.
  private func content(of offer: Offer) throws(SignetError) -> SpecifiedRelease? {
    guard let source = offer.spec.source, let id = source.commit else { return nil }
    if let fault = offer.spec.binary.flatMap({ BinaryRule.fault(of: $0.url) }) {
      throw unusable(
        offer, "has a binary at a place that is not asked: its address \(fault)",
        expected: "an address such as https://example.com/player-1.0.0.zip")
    }
    do throws(SignetError) {
      return SpecifiedRelease(
        spec: offer.release.digest, commit: try GitCommit(repository: source.git, id: id),
        archive: offer.spec.binary?.sha256)
    } catch {
      throw unusable(offer, error.message, expected: error.expected, cause: error)
    }
  }

  /// The modules that a release requires. A dependency is named as its spec is, or by a module's identifier.
  func requirements(of offer: Offer) throws(SignetError) -> [Requirement] {
    var requirements: [Requirement] = []
    var known: Set = [offer.identifier]
    for dependency in offer.spec.dependencies {
      let modules = named[Array(dependency.name.utf8)] ?? []
      guard modules.count <= 1 else {
        throw unusable(
          offer, "requires a module by a name that specs dispute", expected: "a name of one module",
          found: "\(dependency.name.display) for "
            + modules.sorted(by: Self.precede).map { "\($0)" }.joined(separator: " and "))
      }
      guard let identifier = modules.first ?? ModuleIdentifier(dependency.name), let range = dependency.range else {
        throw unusable(
          offer, "requires what is neither in the repository nor a module's identifier",
          expected: "the name of a spec with an identifier, and a range", found: dependency.name.display)
      }
      guard known.insert(identifier).inserted else {
        throw unusable(
          offer, "requires itself, or a module twice", expected: "other modules, each once", found: "\(identifier)")
      }
      requirements.append(
        Requirement(
          module: ModuleRequirement(identifier, range), leavesRangeOpen: dependency.versions == nil))
    }
    return requirements.sorted { Self.precede($0.module.identifier, $1.module.identifier) }
  }

  // MARK: The lock

  /// The offers that may be the locked one: that with its bytes or, if the release was changed, all of its version.
  private func offers(thatMayBe module: LockedModule) -> [Offer] {
    guard case .spec(let release) = module.served?.content else { return [] }
    let found = (offers[module.identifier] ?? []).filter { "\($0.spec.version)".isExactly("\(module.version)") }
    return found.first { $0.release.digest == release.spec }.map { [$0] } ?? found
  }

  /// The offer that a lock means.
  ///
  /// - Throws: `resolve.release-changed` if the repository has other bytes, or none.
  func offer(of module: LockedModule, _ release: SpecifiedRelease) throws(SignetError) -> Offer {
    let found = offers(thatMayBe: module).first
    guard let offer = found, offer.release.digest == release.spec else {
      throw SignetError(
        .resolveReleaseChanged, "\(module.identifier) \(module.version)", "has another spec than the lock's",
        expected: "\(release.spec)", found: found.map { "\($0.release.digest)" } ?? "none",
        hint: "ask the module's publisher what has happened")
    }
    return offer
  }

  private func unusable(
    _ offer: Offer, _ message: String, expected: String? = nil, found: String? = nil, cause: SignetError? = nil
  ) -> SignetError {
    SignetError(
      .installSpec, offer.name, message, expected: expected, found: found, cause: cause,
      hint: "ask the module's publisher to complete the spec of the next version")
  }
}

extension SpecOffers.Offer {
  /// Checks that the release is for this machine: it names no platform, this one, or this system.
  ///
  /// Minimal versions of a platform are those of systems that modules of Signet do not run on.
  fileprivate func checkPlatform() throws(SignetError) {
    guard !spec.platforms.isEmpty, let current = ModulePlatform.current.map({ "\($0)" }) else { return }
    let system = current.split(separator: "-").first.map(String.init) ?? current
    guard !spec.platforms.contains(where: { $0.name.isExactly(current) || $0.name.isExactly(system) }) else { return }
    throw SignetError(
      .installPlatform, name, "is for other platforms", expected: "\(system), or \(current)",
      found: spec.platforms.map(\.name).joined(separator: ", "),
      hint: "ask the module's publisher for a release for \(system)")
  }
}

extension SpecOffers.LeftOut {
  /// Whether it is left out as everything is that other systems need: nobody has to be told.
  fileprivate var isForOtherPlatforms: Bool { error.code == .installPlatform }
}
