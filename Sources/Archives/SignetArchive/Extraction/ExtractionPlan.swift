internal import SignetBase
package import SignetCrypto

/// The steps of an extraction: directories, then files, then links.
struct ExtractionPlan: Sendable {
  /// A file to write.
  struct File: Sendable {
    let path: [UInt8]
    /// Where the file's name begins in the path.
    let nameStart: Int
    let size: Int
    let sha256: Digest
    let permissions: UInt32
    /// Where its bytes are in the archive.
    let data: ArchiveEntry.DataLocation
  }

  /// A symbolic link to create.
  struct Link: Sendable {
    let path: [UInt8]
    let target: String
  }

  /// Consecutive files in one directory, which is opened once for all of them.
  struct Run: Sendable {
    let folder: [UInt8]
    var files: Range<Int>
    var size: Int
  }

  /// The directories, parents first. Directories that are named only in other paths are included.
  let directories: [[UInt8]]
  let files: [File]
  /// The runs, the largest first: the work that takes longest must not begin last.
  let runs: [Run]
  let links: [Link]

  /// The numbers of files and bytes after which a run ends. They are small enough that all threads end at about the
  /// same time.
  private static let runLength = 64
  private static let runSize = 4 << 20

  /// - Throws: `archive.…` and `path.…` if the list itself would not be safe to unpack; `digest.mismatch` if the
  ///   archive does not have such a file.
  init(
    _ expected: [ExpectedEntry], from archive: OpenedArchive, _ limits: ArchiveLimits
  ) throws(SignetError) {
    try ArchiveRules.check(expected.lazy.map { ($0.path, $0.archiveContent) }, limits)
    var places: [String: ArchiveEntry] = [:]
    for entry in archive.entries { places[entry.path] = entry }
    var directories: Set<[UInt8]> = []
    var files: [File] = []
    var links: [Link] = []
    for entry in expected {
      let path = Array(entry.path.utf8)
      switch entry.content {
      case .directory: directories.insert(path)
      case .symbolicLink(let target): links.append(Link(path: path, target: target))
      case .file(let size, let sha256, let mode):
        guard let found = places[entry.path], found.path.isExactly(entry.path), found.content == .file(size: size)
        else {
          throw Self.mismatch(entry.path, size, places[entry.path])
        }
        files.append(
          File(
            path: path, nameStart: Self.folder(of: path).map { $0.count + 1 } ?? 0, size: size, sha256: sha256,
            permissions: mode.installed(isDirectory: false), data: found.data))
      }
      var parent = Self.folder(of: path)
      while let folder = parent, directories.insert(folder).inserted { parent = Self.folder(of: folder) }
    }
    self.directories = directories.sorted { $0.lexicographicallyPrecedes($1) }
    self.links = links
    self.files = files
    runs = Self.runs(of: files)
  }

  private static func runs(of files: [File]) -> [Run] {
    var runs: [Run] = []
    for (index, file) in files.enumerated() {
      let folder = folder(of: file.path) ?? []
      if let last = runs.last, last.folder == folder, last.files.count < runLength, last.size < runSize {
        runs[runs.count - 1].files = last.files.lowerBound..<index + 1
        runs[runs.count - 1].size += file.size
      } else {
        runs.append(Run(folder: folder, files: index..<index + 1, size: file.size))
      }
    }
    return runs.sorted { $0.size > $1.size }
  }

  /// The directory that a path lies in; nil at the top.
  static func folder(of path: [UInt8]) -> [UInt8]? {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) }
  }

  private static func mismatch(_ path: String, _ size: Int, _ found: ArchiveEntry?) -> SignetError {
    let text =
      switch found?.content {
      case nil: "nothing"
      case .file(let size): "a file of \(size) bytes"
      case .directory: "a directory"
      case .symbolicLink: "a symbolic link"
      }
    return SignetError(
      .digestMismatch, path, "is missing from the archive, or differs from the signed entry",
      expected: "a file of \(size) bytes",
      found: text, hint: "get the archive again from its publisher")
  }
}

/// An entry to unpack, as the signed contents describe it. The archive does not influence it.
package struct ExpectedEntry: Hashable, Sendable {
  /// The path below the directory that the archive is unpacked into.
  package let path: String
  /// The kind of entry, with the properties of a file or a link.
  package let content: Content

  /// The kind of an entry.
  package enum Content: Hashable, Sendable {
    /// A regular file, with its size in bytes, its SHA-256 and its mode.
    case file(size: Int, sha256: Digest, mode: FileMode)
    /// A directory.
    case directory
    /// A symbolic link.
    case symbolicLink(target: String)
  }

  package init(path: String, content: Content) {
    self.path = path
    self.content = content
  }

  /// The same content, in the form that the rules for archives check.
  var archiveContent: EntryContent {
    switch content {
    case .file(let size, _, _): .file(size: size)
    case .directory: .directory
    case .symbolicLink(let target): .symbolicLink(target: target)
    }
  }
}
