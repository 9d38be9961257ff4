internal import ModuleCatalog
internal import Signet
internal import SignetBase
internal import SignetTUF

/// The change of a module's index.
struct IndexChange {
  private let old: ModuleIndex?
  private let new: ModuleIndex

  /// Reads both indexes.
  ///
  /// - Parameters:
  ///   - old: the target as it is published; nil if it is not.
  ///   - new: the target as it would be.
  /// - Returns: nil for a target that is no index.
  /// - Throws: `repo.index`, also for releases that cannot be read; `tuf.…` if a file is missing or was changed; `file.…`.
  init?(_ old: TargetFile?, _ new: TargetFile, in folder: RepositoryFolder) throws(SignetError) {
    guard let module = RegistryLayout.module(ofIndex: new.path) else { return nil }
    func read(_ target: TargetFile) throws(SignetError) -> ModuleIndex {
      let index = try ModuleIndex(json: folder.bytes(of: target, atMost: ModuleIndex.sizeLimit), of: module)
      guard let lost = index.unreadable.first else { return index }
      throw SignetError(
        .repoIndex, target.path, "has releases that this version of Signet cannot read", cause: lost,
        hint: "use the newest version of Signet")
    }
    self.old = try old.map(read)
    self.new = try read(new)
  }

  /// Checks that no release that was published changes or disappears: releases are added and withdrawn.
  ///
  /// `repo refresh` checks this for each draft, no matter who has signed it. So a stolen key of a publisher cannot change
  /// the bytes of a version.
  ///
  /// - Throws: `repo.version-taken`.
  func checkKept() throws(SignetError) {
    for release in old?.releases ?? [] {
      guard let next = new.release(release.version) else {
        throw SignetError(
          .repoVersionTaken, "\(release.identifier) \(release.version)", "was published, and would disappear",
          hint: "withdraw it: signet repo yank DIRECTORY IDENTIFIER VERSION --key KEY --reason TEXT")
      }
      guard next.hasSameContent(as: release) else {
        throw SignetError(
          .repoVersionTaken, "\(release.identifier) \(release.version)", "exists already with other bytes",
          expected: release.words, found: next.words,
          hint: "give the new bytes a new version and a higher sequence")
      }
    }
  }

  /// The changes in words, one a line, for people who sign them.
  private var words: [String] {
    var lines: [String] = []
    for release in old?.releases ?? [] where new.release(release.version) == nil {
      lines.append("\(release.version) is gone")
    }
    for release in new.releases {
      guard let before = old?.release(release.version) else {
        let sources = release.source.map { ", with sources of commit \($0.commit)" } ?? ""
        lines.append("\(release.version) added, sequence \(release.sequence)\(sources)")
        continue
      }
      if !release.hasSameContent(as: before) { lines.append("\(release.version) has other files") }
      guard before.yanked.map({ release.yanked?.isExactly($0) ?? false }) ?? (release.yanked == nil) else {
        let words = release.yanked.map { "withdrawn: \($0.visible)" } ?? "offered again"
        lines.append("\(release.version) \(words)")
        continue
      }
    }
    return lines.map { "module \(new.identifier): \($0)" }
  }

  /// The most changes in one draft: two indexes of the longest.
  static let lineLimit = 20_000

  /// What a new version of a role changes in the indexes of modules.
  ///
  /// - Throws: what ``init(_:_:in:)`` throws; `repo.list-size` for more changes than people look at. What cannot be shown
  ///   must not be signed.
  static func words(
    from old: TargetsRole?, to new: TargetsRole, in folder: RepositoryFolder, atMost limit: Int = lineLimit
  ) throws(SignetError) -> [String] {
    var lines: [String] = []
    for target in new.targets {
      let before = old?.target(target.path)
      guard before.map({ !$0.hashes.isSame(as: target.hashes) }) ?? true,
        let change = try IndexChange(before, target, in: folder)
      else { continue }
      lines += change.words
      guard lines.count <= limit else {
        throw SignetError(
          .repoListSize, target.path.display, "changes more releases than anybody can look at",
          expected: "at most \(limit) in one draft", found: "\(lines.count) or more",
          hint: "ask the publisher for smaller changes")
      }
    }
    return lines
  }
}

extension ModuleRelease {
  /// The files, for messages about a release whose files have changed.
  package var words: String {
    files.map { "\($0.name) \($0.sha256)" }.joined(separator: ", ") + (source.map { ", commit \($0.commit)" } ?? "")
  }

  fileprivate func hasSameContent(as other: ModuleRelease) -> Bool {
    module == other.module && archive == other.archive && bundles == other.bundles && waiver == other.waiver
      && source == other.source
      && signers.elementsEqual(other.signers) { $0.isExactly($1) }
  }
}
