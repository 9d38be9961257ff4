internal import ModuleCatalog
internal import Signet
internal import SignetBase
internal import SignetTUF

/// The change of a module's index: releases are added and withdrawn, and none that was published changes or disappears.
///
/// Whoever refreshes the registry holds this against a publisher's metadata. So a publisher's stolen key cannot put other
/// bytes in place of those of a version.
struct IndexReplacement {
  private let old: ModuleIndex
  private let new: ModuleIndex

  /// Reads both indexes.
  ///
  /// - Returns: nil for a target that is no index.
  /// - Throws: `repo.index`; `tuf.…` if the file is missing or was changed; `file.…`.
  init?(_ old: TargetFile, _ new: TargetFile, in folder: RepositoryFolder) throws(SignetError) {
    guard let module = RegistryLayout.module(ofIndex: new.path) else { return nil }
    self.old = try ModuleIndex(json: folder.bytes(of: old, atMost: ModuleIndex.sizeLimit), of: module)
    self.new = try ModuleIndex(json: folder.bytes(of: new, atMost: ModuleIndex.sizeLimit), of: module)
  }

  /// Checks that each release is still there, with its description and its files.
  ///
  /// - Throws: `repo.version-taken`; `repo.index` for releases that cannot be read.
  func check() throws(SignetError) {
    if let lost = old.unreadable.first ?? new.unreadable.first {
      throw SignetError(
        .repoIndex, RegistryLayout.indexPath(of: new.identifier),
        "has releases that this version of Signet cannot read", cause: lost, hint: "use the newest version of Signet")
    }
    for release in old.releases {
      guard let next = new.release(release.version) else {
        throw SignetError(
          .repoVersionTaken, "\(release.identifier) \(release.version)", "was published, and would disappear",
          hint: "withdraw it: signet repo yank")
      }
      guard next.module == release.module, next.archive == release.archive, next.bundles == release.bundles else {
        throw SignetError(
          .repoVersionTaken, "\(release.identifier) \(release.version)", "exists already with other bytes",
          expected: "\(release.archive.sha256)", found: "\(next.archive.sha256)",
          hint: "give the new bytes a new version and a higher sequence")
      }
    }
  }
}
