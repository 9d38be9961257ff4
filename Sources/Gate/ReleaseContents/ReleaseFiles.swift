package import Signet
internal import SignetArchive
package import SignetBase
package import SignetSystem

/// Everything below the paths that are about to be published: which files are artifacts, which are their bundles, and
/// which are left out.
///
/// Files are opened relative to directories that stay open, so that no path is looked up twice, and no link is
/// followed.
package struct ReleaseFiles: Sendable {

  /// A folder that was scanned.
  package struct Root: Sendable {
    package let directory: Directory
    package let scan: DirectoryScan
  }

  /// The limits of one gate. A release of a whole distribution has some 60,000 files; paths and depth are those of a
  /// signed directory. A report lists as many files.
  package static let limits = DirectoryScan.Limits(entries: 100_000, pathLength: 4096, depth: 128, allPaths: 32 << 20)

  private let roots: [Root]
  /// The files, sorted by the bytes of their paths.
  package let files: [ReleaseFile]

  /// Scans the folders.
  ///
  /// - Parameters:
  ///   - folders: the paths of folders. Names are relative to each of them.
  ///   - exclusions: what is left out.
  ///   - wholes: directories that are one artifact each although no bundle is beside them.
  /// - Throws: `gate.duplicate-path`, `gate.link`, `gate.special-file`, `path.not-utf8`, `directory.entry-count`,
  ///   `path.bounds`, `file.…`.
  package init(
    in folders: [String], excluding exclusions: [PathPattern], wholes: [String] = []
  ) throws(SignetError) {
    var roots: [Root] = []
    var found: [(path: String, root: Int, entry: DirectoryScan.Entry)] = []
    for root in try Self.scan(folders) {
      for entry in root.scan.entries {
        found.append((try Self.name(of: entry, in: root.directory), roots.count, entry))
      }
      roots.append(root)
    }
    found.sort { $0.path.precedesInBytes($1.path) }
    self.roots = roots
    files = try Classification(found, roots.map(\.directory), excluding: exclusions, wholes: wholes).files
  }

  /// Opens and scans folders, with one budget for all of them.
  ///
  /// - Throws: `directory.entry-count`, `path.bounds`, `file.…`.
  package static func scan(
    _ folders: [String], _ limits: DirectoryScan.Limits = Self.limits
  ) throws(SignetError) -> [Root] {
    var roots: [Root] = []
    var (entries, allPaths) = (limits.entries, limits.allPaths)
    for folder in folders {
      let directory = try Directory(opening: folder)
      let rest = DirectoryScan.Limits(
        entries: entries, pathLength: limits.pathLength, depth: limits.depth, allPaths: allPaths)
      let scan = try DirectoryScan(directory, limits: rest)
      entries -= scan.entries.count
      allPaths -= scan.entries.reduce(0) { $0 + $1.path.count + ($1.target?.count ?? 0) }
      roots.append(Root(directory: directory, scan: scan))
    }
    return roots
  }

  /// The path of an entry.
  ///
  /// - Throws: `path.not-utf8`.
  package static func name(
    of entry: DirectoryScan.Entry, in directory: Directory
  ) throws(SignetError) -> String {
    guard let name = String(validating: entry.path, as: UTF8.self) else {
      throw SignetError(
        .pathNotUTF8, directory.shown(entry.path), "has a name that is not UTF-8", hint: "rename it")
    }
    return name
  }

  /// The file, link or folder at a path, or nil. Paths are compared by their bytes.
  package func file(at path: String) -> ReleaseFile? {
    let index = ReleasePath.firstIndex(from: path, in: files, by: \.path)
    return index < files.count && files[index].path.isExactly(path) ? files[index] : nil
  }

  /// Everything below a directory that is signed as a whole, with the paths from it.
  package func parts(of directory: ReleaseFile) -> [(name: String, file: ReleaseFile)] {
    files[ReleasePath.range(below: directory.path, in: files, by: \.path)].map { file in
      (String(decoding: file.path.utf8.dropFirst(directory.path.utf8.count + 1), as: UTF8.self), file)
    }
  }

  /// The folders that are no artifacts, and belong to none.
  package var places: [ReleaseFile] {
    files.filter { file in
      switch file.role {
      case .folder: true
      case .excluded: file.kind == .directory
      default: false
      }
    }
  }

  /// Whether a folder has something that must be signed.
  ///
  /// - Parameter number: the index of the folder among those that were scanned.
  package func hasArtifacts(inFolder number: Int) -> Bool {
    files.contains { file in
      switch file.role {
      case .artifact, .directory: file.root == number
      default: false
      }
    }
  }

  /// The permission bits of each folder that was scanned.
  package var topFolderModes: [UInt32] { roots.map(\.scan.mode) }

  /// The path of a folder of the release that is another folder, is in it, or holds it; nil if none does.
  package func folder(sharedWith other: String) -> String? {
    let others = FileStatus.identities(of: [other])
    return roots.map(\.directory.path).first { path in
      FileStatus.identities(of: [path]).contains { OutputFile.isFolder(other, in: $0) }
        || others.contains { OutputFile.isFolder(path, in: $0) }
    }
  }

  /// The path of the first file that is one of these, by whatever name; nil if none is.
  package func path(of identities: [FileStatus.Identity]) -> String? {
    files.first { identities.contains($0.entry.status.identity) }?.path
  }

  /// The artifact at a path, opened; nil if no artifact is there.
  ///
  /// - Throws: what ``open(_:)`` and ``openDirectory(_:)`` throw.
  package func artifact(at path: String) throws(SignetError) -> Artifact? {
    guard let file = file(at: path) else { return nil }
    switch file.role {
    case .artifact: return .file(try open(file))
    case .directory: return .directory(try openDirectory(file))
    case .bundle, .attestation, .excluded, .part, .link, .folder: return nil
    }
  }

  /// Opens a file.
  ///
  /// - Throws: `file.changed` if it is not the one that was found, `file.unreadable`.
  package func open(_ file: ReleaseFile) throws(SignetError) -> RegularFile {
    try roots[file.root].directory.file(file.entry)
  }

  /// Opens the files with these paths, in their order.
  package func open(_ paths: [String]) throws(SignetError) -> [RegularFile] {
    var opened: [RegularFile] = []
    for path in paths { if let file = file(at: path) { opened.append(try open(file)) } }
    return opened
  }

  /// Opens a folder that is signed as a whole.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.not-directory`.
  package func openDirectory(_ file: ReleaseFile) throws(SignetError) -> Directory {
    var directory = roots[file.root].directory
    for name in ReleasePath.names(of: file.path) { directory = try directory.subdirectory(name) }
    return directory
  }

  /// Checks that nothing was written, added or removed since the folders were scanned.
  ///
  /// - Throws: `file.changed`, and what scanning throws.
  package func checkUnchanged() throws(SignetError) {
    for root in roots { try root.scan.checkUnchanged(root.directory, limits: Self.limits) }
  }
}
