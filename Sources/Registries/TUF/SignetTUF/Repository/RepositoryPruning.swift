public import SignetBase
internal import SignetSystem

/// The files of a repository that no client asks for any more.
///
/// All roots stay, because a client begins at any of them. What the snapshot before the current one lists stays, too:
/// a client may be in the middle of a refresh. The newest version of each role stays, so that no version is used twice.
public struct RepositoryPruning: Sendable {
  /// The files to remove, below the folder of the repository, sorted by their bytes.
  public let files: [String]
  private let folder: RepositoryFolder

  /// Finds out what can be removed.
  ///
  /// - Throws: `tuf.no-repository`; what ``RepositoryFolder/load()`` throws; `path.bounds` for folders that are nested too
  ///   deeply; `file.…`.
  public init(of content: RepositoryContent) throws(SignetError) {
    guard let snapshot = content.snapshot else { throw content.folder.missing(nil) }
    folder = content.folder
    // A killed publication may have left a later snapshot.
    var kept: Set = [MetadataFileName.of("snapshot", version: snapshot.role.version)]
    var artifacts = Set<String>()
    // What the repository offers now is complete, or it is not known which files it needs.
    try content.forEachListedFile { (name, bytes) throws(SignetError) in
      kept.insert(name)
      artifacts.formUnion(try Self.artifacts(of: UnverifiedMetadata<TargetsRole>(bytes, name: name)))
    }
    if let bytes = try content.file(of: "snapshot", version: snapshot.role.version - 1),
      let before = try? UnverifiedMetadata<SnapshotRole>(bytes).uncheckedRole()
    {
      kept.insert(MetadataFileName.of("snapshot", version: before.version))
      for file in before.files {
        let role = String(file.name.dropLast(".json".utf8.count))
        kept.insert(MetadataFileName.of(role, version: file.facts.version))
        guard let bytes = try content.file(of: role, version: file.facts.version) else { continue }
        artifacts.formUnion(try Self.artifacts(of: UnverifiedMetadata<TargetsRole>(bytes, name: file.name)))
      }
    }
    for role in try folder.pendingRoles() where role != "root" {
      do throws(SignetError) {
        guard let draft = try folder.pending(role) else { continue }
        artifacts.formUnion(try Self.artifacts(of: draft))
      } catch  where Set.aboutTUF.contains(error.code) {
        // It can never be published, so it needs nothing.
        continue
      }
    }
    var next: [String: Int] = [:]
    let metadata = try folder.names(in: RepositoryFolder.metadataName).filter { name in
      guard let file = MetadataFileName(name), file.role != "root", !kept.contains(name) else { return false }
      guard let role = PercentEncoding.decode(file.role) else { return false }
      // nextVersion looks at the files, too.
      let version = next[role] ?? content.nextVersion(of: role)
      next[role] = version
      return file.version != version - 1
    }
    let targets = try Self.regularFiles(of: folder).filter { !artifacts.contains($0) }
    files =
      metadata.map { "\(RepositoryFolder.metadataName)/\($0)" }
      + targets.map { "\(RepositoryFolder.targetsName)/\($0)" }
  }

  /// Removes the files. The caller holds the lock of ``RepositoryFolder/changing(_:)``.
  ///
  /// - Throws: `output.failed`.
  public func remove() throws(SignetError) {
    for file in files { try folder.remove(file) }
  }

  private static func artifacts(of role: UnverifiedMetadata<TargetsRole>) throws(SignetError) -> [String] {
    try role.uncheckedRole().targets.flatMap(\.filePaths)
  }

  /// The longest path of Linux (PATH_MAX). A target has fewer names than that has bytes, and each takes a descriptor.
  private static let limits = DirectoryScan.Limits(entries: .max - 1, pathLength: 4096, depth: 128)

  /// The files below the folder of targets. Links are nobody's targets: they stay, and nothing behind them is looked at.
  private static func regularFiles(of folder: RepositoryFolder) throws(SignetError) -> [String] {
    let directory: Directory
    do throws(SignetError) { directory = try folder.directory(RepositoryFolder.targetsName) } catch
      where error.code == .fileMissing
    {
      return []
    }
    return try DirectoryScan(directory, limits: limits).entries.compactMap { entry in
      entry.status.kind == .regular ? String(validating: entry.path, as: UTF8.self) : nil
    }
  }
}
