internal import ModuleResolver
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What a repository of specs offers to a Modfile.
///
/// A Modfile and a host know a module by its identifier, a repository of specs by its name. Each spec that has both joins
/// them, and a name means the same module in all versions.
struct SpecOffers {
  /// A spec with what a repository says beside it.
  struct Offer {
    let spec: ModuleSpec
    let identifier: ModuleIdentifier
    let release: SpecTree.Release

    /// Verifies the spec: its signers must be trusted for the module. A spec says which commit and which file are meant, so
    /// both are as good as it, and no place that it names is asked before.
    ///
    /// - Throws: `spec-repo.unverified`, with the reason as its cause.
    func verify(under policy: TrustPolicy) throws(SignetError) {
      let file = ModuleSpec.fileName(of: spec.name)
      let verdict = try Verifier(policy: policy, clock: .system).verify(
        .bytes(release.spec), signatures: release.bundle.map { .bytes([$0]) } ?? .absent,
        expecting: .file(named: file, as: ArtifactRole(module: identifier)))
      guard case .refused(let refusal) = verdict else { return }
      throw SignetError(
        .specRepositoryUnverified, SpecTree.path(of: spec.name, spec.version),
        "is not signed as the policy demands", cause: refusal.combined,
        hint: "ask the owner of the repository where the spec comes from")
    }
  }

  private let source: ModuleSource
  private var offers: [ModuleIdentifier: [Offer]] = [:]
  /// The modules that names stand for, by the bytes of the names.
  private var identifiers: [[UInt8]: ModuleIdentifier] = [:]

  /// Reads the specs of a source.
  ///
  /// - Throws: `install.spec` for a name that stands for two modules, or a module that has two names.
  init(_ tree: SpecTree, of source: ModuleSource) throws(SignetError) {
    self.source = source
    var names: [ModuleIdentifier: String] = [:]
    for release in tree.releases {
      let spec = try ModuleSpec(json: release.spec)
      guard let identifier = spec.identifier else { continue }
      let known = identifiers.updateValue(identifier, forKey: Array(spec.name.utf8)) ?? identifier
      let name = names.updateValue(spec.name, forKey: identifier) ?? spec.name
      guard known == identifier, name.isExactly(spec.name) else {
        throw SignetError(
          .installSpec, "\(source.name)/\(SpecTree.path(of: spec.name, spec.version))",
          "leaves open which module has which name", expected: "\(name) for \(identifier), in all versions",
          found: "\(spec.name) for \(known)", hint: "ask the owner of the repository of specs")
      }
      offers[identifier, default: []].append(Offer(spec: spec, identifier: identifier, release: release))
    }
  }

  /// The releases of a module that can be installed.
  ///
  /// - Parameter complain: is told why a release is left out.
  func candidates(
    of module: ModuleIdentifier, _ complain: (SignetError) -> Void
  ) -> [CandidateRelease] {
    (offers[module] ?? []).compactMap { offer in
      do throws(SignetError) { return try candidate(offer) } catch {
        complain(error)
        return nil
      }
    }
  }

  private func candidate(_ offer: Offer) throws(SignetError) -> CandidateRelease? {
    let spec = offer.spec
    guard spec.isForThisPlatform else { return nil }
    guard let sequence = spec.sequence, let release = try content(of: offer) else {
      throw unusable(offer, "lacks what an installation needs", expected: "sequence, source.git and source.commit")
    }
    return CandidateRelease(
      version: spec.version, sequence: sequence, requirements: try requirements(of: offer), spec: release)
  }

  /// What a lock records of a release; nil if its spec does not name a commit.
  private func content(of offer: Offer) throws(SignetError) -> SpecifiedRelease? {
    guard let source = offer.spec.source, let id = source.commit else { return nil }
    do throws(SignetError) {
      return SpecifiedRelease(
        spec: offer.release.digest, commit: try GitCommit(repository: source.git, id: id),
        archive: offer.spec.binary?.sha256)
    } catch {
      throw unusable(offer, error.message, expected: error.expected, cause: error)
    }
  }

  /// The modules that a release requires. A dependency is named as its spec is, or by a module's identifier.
  func requirements(of offer: Offer) throws(SignetError) -> [ModuleRequirement] {
    var requirements: [ModuleRequirement] = []
    for dependency in offer.spec.dependencies {
      guard
        let identifier = identifiers[Array(dependency.name.utf8)] ?? ModuleIdentifier(dependency.name),
        let range = dependency.range
      else {
        throw unusable(
          offer, "requires what is neither in the repository nor a module's identifier",
          expected: "the name of a spec with an identifier, and a range", found: dependency.name.display)
      }
      requirements.append(ModuleRequirement(identifier, range))
    }
    return requirements.sorted { "\($0.identifier)".precedesInBytes("\($1.identifier)") }
  }

  /// The offer that a lock means.
  ///
  /// - Throws: `resolve.release-changed` if the repository has other bytes, or none.
  func offer(of module: LockedModule, _ locked: SpecifiedRelease) throws(SignetError) -> Offer {
    let found = offers[module.identifier]?.first { "\($0.spec.version)".isExactly("\(module.version)") }
    guard let found, found.release.digest == locked.spec else {
      throw SignetError(
        .resolveReleaseChanged, "\(module.identifier) \(module.version)", "has another spec than the lock's",
        expected: "\(locked.spec)", found: found.map { "\($0.release.digest)" } ?? "none",
        hint: "ask the module's publisher what has happened")
    }
    return found
  }

  private func unusable(
    _ offer: Offer, _ message: String, expected: String? = nil, found: String? = nil, cause: SignetError? = nil
  ) -> SignetError {
    SignetError(
      .installSpec, "\(offer.spec.name) \(offer.spec.version)", message, expected: expected, found: found,
      cause: cause,
      hint: "ask the module's publisher to complete the spec of the next version")
  }
}

extension ModuleSpec {
  /// Whether the release is for this machine: it names no platform, this one, or this system.
  ///
  /// Minimal versions of a platform are those of systems that modules of Signet do not run on.
  fileprivate var isForThisPlatform: Bool {
    guard !platforms.isEmpty, let current = ModulePlatform.current.map({ "\($0)" }) else { return true }
    let system = current.split(separator: "-").first.map(String.init) ?? current
    return platforms.contains { $0.name.isExactly(current) || $0.name.isExactly(system) }
  }
}
