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
  /// - Throws: `tuf.no-repository`; what ``RepositoryFolder/load()`` throws; `file.…`.
  public init(of content: RepositoryContent) throws(SignetError) {
    guard let snapshot = content.snapshot else { throw content.folder.missing(nil) }
    folder = content.folder
    var kept = Set<String>()
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
      guard let draft = try folder.pending(role) else { continue }
      artifacts.formUnion(try Self.artifacts(of: draft))
    }
    let metadata = try folder.names(in: RepositoryFolder.metadataName).filter { name in
      guard let file = MetadataFileName(name), file.role != "root", !kept.contains(name) else { return false }
      guard let role = PercentEncoding.decode(file.role) else { return false }
      // nextVersion looks at the files, too.
      return file.version < content.nextVersion(of: role) - 1
    }
    let targets = try Self.regularFiles(below: "", in: folder).filter { !artifacts.contains($0) }
    files =
      metadata.map { "\(RepositoryFolder.metadataName)/\($0)" }
      + targets.map { "\(RepositoryFolder.targetsName)/\($0)" }
  }

  /// Removes the files. The caller holds the lock of ``RepositoryFolder/changing(_:)``.
  ///
  /// - Throws: `output.failed`.
  public func remove() throws(SignetError) {
    for file in files { try OutputFile.remove("\(folder.path)/\(file)") }
  }

  private static func artifacts(of role: UnverifiedMetadata<TargetsRole>) throws(SignetError) -> [String] {
    try role.uncheckedRole().targets.flatMap(\.filePaths)
  }

  /// The files below the folder of targets. Links are nobody's targets, and stay.
  private static func regularFiles(
    below path: String, in folder: RepositoryFolder
  ) throws(SignetError) -> [String] {
    var files: [String] = []
    let place = path.isEmpty ? RepositoryFolder.targetsName : "\(RepositoryFolder.targetsName)/\(path)"
    for name in try folder.names(in: place) {
      let inner = path.isEmpty ? name : "\(path)/\(name)"
      switch try FileStatus(ofLink: "\(folder.path)/\(RepositoryFolder.targetsName)/\(inner)").kind {
      case .directory: files += try regularFiles(below: inner, in: folder)
      case .regular: files.append(inner)
      default: continue
      }
    }
    return files
  }
}
