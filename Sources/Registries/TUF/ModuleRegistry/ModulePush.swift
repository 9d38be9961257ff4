public import ModuleCatalog
internal import Signet
public import SignetBase
internal import SignetCrypto
public import SignetKeys
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
  ///   - modules: the files of the releases.
  ///   - publisher: the name of the publisher.
  ///   - keys: private keys of the publisher.
  ///   - online: the online keys; none to leave the publication to others.
  /// - Throws: `repo.…`; `tuf.foreign-key` if none of the keys is the publisher's; `tuf.draft-unsigned` if there is a draft
  ///   with changes that none of the keys has signed; what ``refresh(signedBy:)`` throws.
  public func push(
    _ modules: [FilesToPush], of publisher: String, signedBy keys: [PrivateKey], online: [PrivateKey] = []
  ) throws(SignetError) -> (modules: [PushedModule], publication: DraftPublication?) {
    try folder.changing { (content) throws(SignetError) in
      let targets = try newestTargets(content)
      let publishers = try Self.publishers(of: targets)
      guard let owner = publishers.first(where: { $0.name.isExactly(publisher) }) else {
        throw Self.unknown(publisher)
      }
      // The publisher's keys sign all of the role. What others have drafted must not slip in.
      let role = try RoleTargets(of: publisher, under: targets, in: content, continuing: .signed(by: keys))
      var offered = OfferedModules(of: owner, role, in: folder)
      var pushed: [PushedModule] = []
      for files in modules {
        let module = try ModuleToPush(files, of: owner, at: time)
        pushed.append(try push(module, to: &offered, publishers))
      }
      try signAndDraft(&offered, keys)
      guard !online.isEmpty else { return (pushed, nil) }
      return (pushed, try publish(folder.load(), online))
    }
  }

  /// Adds modules without sources, as the other form does for files.
  ///
  /// - Parameter archives: the paths of the archives.
  /// - Throws: the same.
  public func push(
    _ archives: [String], of publisher: String, signedBy keys: [PrivateKey], online: [PrivateKey] = []
  ) throws(SignetError) -> (modules: [PushedModule], publication: DraftPublication?) {
    try push(archives.map { FilesToPush(archive: $0) }, of: publisher, signedBy: keys, online: online)
  }

  private func push(
    _ module: ModuleToPush, to offered: inout OfferedModules, _ publishers: [Publisher]
  ) throws(SignetError) -> PushedModule {
    let new = module.release
    var index = try offered.index(of: new.identifier)
    if let same = index.release(new.version) {
      // A push without sources repeats that of the module.
      guard same.archive == new.archive, new.source == nil || new.source == same.source else {
        throw SignetError(
          .repoVersionTaken, "\(new.identifier) \(new.version)", "exists already with other bytes",
          expected: same.words, found: new.words,
          hint: "give the new bytes a new version and a higher sequence")
      }
      return PushedModule(release: same, wasThere: true, warnings: [])
    }
    if let last = index.releases.last, last.sequence >= new.sequence {
      throw SignetError(
        .repoSequence, "\(new.identifier) \(new.version)", "does not come after the releases that are there",
        expected: "a sequence above \(last.sequence), that of \(last.version)", found: "\(new.sequence)",
        hint: "raise the sequence in module.json, and sign the module again")
    }
    let warnings = index.releases.isEmpty ? try lookAlikes(of: new.identifier, publishers) : []
    for file in module.files { try folder.store(file.target, from: file.file) }
    index.append(new)
    try offered.set(index, adding: module.files.map(\.target))
    return PushedModule(release: new, wasThere: false, warnings: warnings)
  }

  /// Signs a publisher's changed metadata, as far as the keys are the publisher's, and keeps it as drafts.
  private func signAndDraft(_ offered: inout OfferedModules, _ keys: [PrivateKey]) throws(SignetError) {
    try offered.store()
    let authority = offered.role.authority
    let expires = RoleLifetimes.end(lifetimes.targets, from: time)
    for change in try offered.role.drafts(until: expires, dividedAbove: mostTargets) {
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
  /// - Returns: the publisher, whether anything has changed, and what was published. Nothing changes where a release is
  ///   offered again that is not withdrawn, neither for clients nor in a draft.
  /// - Throws: `repo.release-unknown`; `tuf.foreign-key`, `tuf.draft-unsigned`; what ``refresh(signedBy:)`` throws.
  public func yank(
    _ identifier: String, _ version: String, because reason: String?, signedBy keys: [PrivateKey],
    online: [PrivateKey] = []
  ) throws(SignetError) -> (publisher: String, isChanged: Bool, publication: DraftPublication?) {
    try folder.changing { (content) throws(SignetError) in
      let targets = try newestTargets(content)
      for publisher in try Self.publishers(of: targets) {
        guard let module = ModuleIdentifier(identifier), try publisher.mayOffer(module) else { continue }
        let role = try RoleTargets(of: publisher.name, under: targets, in: content, continuing: .signed(by: keys))
        var offered = OfferedModules(of: publisher, role, in: folder)
        var index = try offered.index(of: module)
        let wasWithdrawn = index.isWithdrawn(version)
        guard index.setYanked(version, reason) else { break }
        if reason == nil, !wasWithdrawn,
          try !isWithdrawn(version, of: module, by: publisher.name, in: content)
        {
          return (publisher.name, false, nil)
        }
        try offered.set(index)
        try signAndDraft(&offered, keys)
        return (publisher.name, true, online.isEmpty ? nil : try publish(folder.load(), online))
      }
      throw SignetError(
        .repoReleaseUnknown, "\(identifier) \(version)".display, "is not in the registry",
        expected: "a module and one of its versions", hint: "list what there is: signet repo list DIRECTORY")
    }
  }

  /// Whether clients find a release as withdrawn, whatever drafts have.
  private func isWithdrawn(
    _ version: String, of module: ModuleIdentifier, by name: String, in content: RepositoryContent
  ) throws(SignetError) -> Bool {
    guard let top = content.targets?.role,
      let publisher = try Self.publishers(of: top).first(where: { $0.name.isExactly(name) })
    else { return false }
    let role = try RoleTargets(of: name, under: top, in: content, continuing: .published)
    var offered = OfferedModules(of: publisher, role, in: folder)
    return try offered.index(of: module).isWithdrawn(version)
  }
}

extension ModuleIndex {
  /// Whether there is a release of this version, and it is withdrawn.
  fileprivate func isWithdrawn(_ version: String) -> Bool {
    releases.contains { "\($0.version)".isExactly(version) && $0.yanked != nil }
  }
}
