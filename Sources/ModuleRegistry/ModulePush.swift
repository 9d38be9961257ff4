internal import Signet
public import SignetBase
public import SignetCrypto
internal import SignetSystem
public import SignetTUF

/// What a push has done with a module.
public struct PushedModule: Sendable {
  /// The release.
  public let release: ModuleRelease
  /// Whether it was there already, with the same bytes.
  public let wasThere: Bool
  /// Identifiers of other publishers for which it can be mistaken; nothing is refused for that.
  public let warnings: [SignetError]
}

extension ModuleRegistry {
  /// Adds modules to a publisher's metadata, and signs that with the publisher's keys.
  ///
  /// Each module must be signed by one of the publisher's keys, as the delegation states them, and must be one that the
  /// publisher may offer. The archives, and bundles beside them, are copied to the registry first. They count for nothing
  /// until the metadata is published: at once if the online keys are given, otherwise with the next refresh.
  ///
  /// - Parameters:
  ///   - modules: the paths of the archives.
  ///   - publisher: the name of the publisher.
  ///   - keys: private keys of the publisher.
  ///   - online: the online keys; none to leave the publication to others.
  /// - Throws: `repo.…`; `tuf.foreign-key` if none of the keys is the publisher's; `tuf.draft-unsigned` if there is a draft
  ///   with changes that none of the keys has signed; what ``refresh(signedBy:)`` throws.
  public func push(
    _ modules: [String], of publisher: String, signedBy keys: [PrivateKey], online: [PrivateKey] = []
  ) throws(SignetError) -> (modules: [PushedModule], publication: DraftPublication?) {
    try folder.changing { (content) throws(SignetError) in
      let targets = try newestTargets(content)
      let publishers = try Self.publishers(of: targets)
      guard let owner = publishers.first(where: { $0.name.isExactly(publisher) }) else {
        throw Self.unknown(publisher)
      }
      // The publisher's keys sign all of the role. What others have drafted must not slip in.
      var role = try RoleTargets(of: publisher, under: targets, in: content, continuing: .signed(by: keys))
      let others = try OtherModules(besides: owner, publishers, targets, content)
      // Read once: a publisher may have many thousands.
      var known = Dictionary(grouping: try owner.releases(in: role), by: \.identifier)
      var pushed: [PushedModule] = []
      for path in modules {
        let module = try ModuleToPush(path, of: owner, at: time)
        pushed.append(try push(module, to: &role, &known, others))
      }
      try signAndDraft(role, keys, content)
      guard !online.isEmpty else { return (pushed, nil) }
      return (pushed, try publish(folder.load(), online))
    }
  }

  private func push(
    _ module: ModuleToPush, to role: inout RoleTargets, _ known: inout [ModuleIdentifier: [ModuleRelease]],
    _ others: OtherModules
  ) throws(SignetError) -> PushedModule {
    let new = module.release
    let earlier = known[new.identifier] ?? []
    if let same = earlier.first(where: { $0.version == new.version }) {
      guard same.target.path.isExactly(new.target.path), same.target.hashes.isSame(as: new.target.hashes) else {
        throw SignetError(
          .repoVersionTaken, "\(new.identifier) \(new.version)", "exists already with other bytes",
          expected: same.target.hashes.words, found: new.target.hashes.words,
          hint: "give the new bytes a new version and a higher sequence")
      }
      return PushedModule(release: same, wasThere: true, warnings: [])
    }
    if let last = earlier.max(by: { $0.sequence < $1.sequence }), last.sequence >= new.sequence {
      throw SignetError(
        .repoSequence, "\(new.identifier) \(new.version)", "does not come after the releases that are there",
        expected: "a sequence above \(last.sequence), that of \(last.version)", found: "\(new.sequence)",
        hint: "raise the sequence in module.json, and sign the module again")
    }
    for file in module.files {
      try folder.store(file.target, from: file.file)
      try role.insert(file.target)
    }
    known[new.identifier, default: []].append(new)
    let warnings = earlier.isEmpty ? others.warnings(about: new.identifier) : []
    return PushedModule(release: new, wasThere: false, warnings: warnings)
  }

  /// Signs a publisher's changed metadata, as far as the keys are the publisher's, and keeps it as drafts.
  func signAndDraft(
    _ role: RoleTargets, _ keys: [PrivateKey], _ content: RepositoryContent
  ) throws(SignetError) {
    let authority = role.authority
    let expires = RoleLifetimes.end(lifetimes.targets, from: time)
    for change in try role.drafts(of: content, until: expires, dividedAbove: mostTargets) {
      var draft = try MetadataDraft(change.role)
      guard try draft.sign(with: keys, for: authority) > 0 else {
        throw SignetError(
          .tufForeignKey, "the given keys", "are no keys of the publisher \(authority.role.display)",
          expected: "a private key of the publisher",
          found: keys.map { "\($0.publicKey)" }.joined(separator: ", "), hint: "name it: --key PATH")
      }
      try folder.setPending(change.name, draft)
    }
  }

  // MARK: Withdrawing

  /// Withdraws a release: clients no longer choose it by themselves. Its bytes stay for those who depend on them.
  ///
  /// - Parameters:
  ///   - reason: why, for people; nil to offer the release again.
  ///   - keys: private keys of the publisher.
  ///   - online: the online keys; none to leave the publication to others.
  /// - Returns: the publisher, and what was published.
  /// - Throws: `repo.release-unknown`; `tuf.foreign-key`, `tuf.draft-unsigned`; what ``refresh(signedBy:)`` throws.
  public func yank(
    _ identifier: String, _ version: String, because reason: String?, signedBy keys: [PrivateKey],
    online: [PrivateKey] = []
  ) throws(SignetError) -> (publisher: String, publication: DraftPublication?) {
    try folder.changing { (content) throws(SignetError) in
      let targets = try newestTargets(content)
      var fault: SignetError?
      for publisher in try Self.publishers(of: targets) {
        let releases: [ModuleRelease]
        do throws(SignetError) {
          let shown = try RoleTargets(of: publisher.name, under: targets, in: content, continuing: .shown)
          releases = try publisher.releases(in: shown)
        } catch {
          // Perhaps the release is another publisher's.
          fault = error
          continue
        }
        let release = releases.first {
          "\($0.identifier)".isExactly(identifier) && "\($0.version)".isExactly(version)
        }
        guard let release else { continue }
        var role = try RoleTargets(of: publisher.name, under: targets, in: content, continuing: .signed(by: keys))
        try role.insert(release.target(yanked: reason))
        try signAndDraft(role, keys, content)
        return (publisher.name, online.isEmpty ? nil : try publish(folder.load(), online))
      }
      if let fault { throw fault }
      throw SignetError(
        .repoReleaseUnknown, "\(identifier) \(version)".display, "is not in the registry",
        expected: "a module and one of its versions", hint: "signet repo list shows what there is")
    }
  }

  /// All releases with the publishers that offer them, drafts included.
  ///
  /// - Parameter complain: is told of publishers whose drafts cannot be used. Their published releases are listed, if
  ///   these can be read.
  /// - Throws: what ``RepositoryFolder/load()`` throws.
  public func releases(
    _ complain: (SignetError) -> Void = { _ in }
  ) throws(SignetError) -> [(publisher: String, release: ModuleRelease)] {
    let content = try folder.load()
    let targets = try newestTargets(content)
    var releases: [(publisher: String, release: ModuleRelease)] = []
    for publisher in try Self.publishers(of: targets) {
      do throws(SignetError) {
        let role = try RoleTargets(of: publisher.name, under: targets, in: content, continuing: .shown)
        releases += try publisher.releases(in: role).map { (publisher.name, $0) }
      } catch {
        complain(error)
        let role = try? RoleTargets(of: publisher.name, under: targets, in: content, continuing: .ignored)
        releases +=
          try role.map { (role) throws(SignetError) in try publisher.releases(in: role) }?
          .map { (publisher.name, $0) } ?? []
      }
    }
    return releases.sorted {
      ("\($0.release.identifier)", $0.release.sequence) < ("\($1.release.identifier)", $1.release.sequence)
    }
  }
}

/// The published modules of other publishers.
private struct OtherModules {
  private let identifiers: [(identifier: ModuleIdentifier, publisher: String)]

  init(
    besides owner: Publisher, _ publishers: [Publisher], _ targets: TargetsRole, _ content: RepositoryContent
  ) throws(SignetError) {
    var identifiers: [(identifier: ModuleIdentifier, publisher: String)] = []
    var known = Set<ModuleIdentifier>()
    for publisher in publishers where !publisher.name.isExactly(owner.name) {
      // A publisher whose metadata cannot be read keeps nobody else from publishing.
      guard let role = try? RoleTargets(of: publisher.name, under: targets, in: content, continuing: .ignored) else {
        continue
      }
      for release in try publisher.releases(in: role) where known.insert(release.identifier).inserted {
        identifiers.append((release.identifier, publisher.name))
      }
    }
    self.identifiers = identifiers
  }

  func warnings(about new: ModuleIdentifier) -> [SignetError] {
    identifiers.compactMap { known in
      LookAlike.resemblance(of: new, to: known.identifier).map { reason in
        SignetError(
          .repoLookAlike, "\(new)", "can be mistaken for \(known.identifier) of the publisher \(known.publisher)",
          found: reason, hint: "check that this is the name that you mean")
      }
    }
  }
}

extension FileHashes {
  fileprivate var words: String { entries.map { "\($0.algorithm) \($0.hex)".display }.joined(separator: ", ") }
}
