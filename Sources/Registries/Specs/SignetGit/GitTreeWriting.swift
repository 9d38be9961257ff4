package import SignetBase
internal import SignetFiles
package import SignetNames
internal import SignetProcesses
package import SignetSystem

extension GitTree {
  /// Writes the files and links of the commit into an empty directory.
  ///
  /// Nothing that exists is written to, no link is followed, and links come last. If it fails, the caller removes what
  /// is there.
  ///
  /// - Parameters:
  ///   - directory: an empty directory that nobody else writes to.
  ///   - git: the repository.
  ///   - limits: what a commit may have.
  /// - Throws: `git.tree` for a link that leads out of the directory; `git.failed`, `git.missing`; `output.failed`.
  package func write(
    into directory: Directory, from git: GitProgram, _ limits: ArchiveLimits
  ) throws(SignetError) {
    // Links are read first, so that nothing is written of a commit that is refused.
    let targets = try targets(from: git, limits)
    let links = entries.filter { if case .link = $0.kind { true } else { false } }
    var made: Set<String> = []
    let files = entries.filter { if case .file = $0.kind { true } else { false } }
    for entry in entries { try Self.makeFolders(above: entry.path, in: directory, &made) }
    try Self.write(files, into: directory, from: git)
    for link in links {
      try Self.attempt(link.path, in: directory) { (folder, name) throws(SystemFailure) in
        try folder.makeLink(name, to: targets[link.path] ?? "")
      }
    }
  }

  /// Checks the links of the commit.
  ///
  /// - Returns: their targets, by the paths of the links.
  /// - Throws: `git.tree` for a link that leads out of the commit's files; `git.failed`, `git.missing`.
  @discardableResult
  package func targets(from git: GitProgram, _ limits: ArchiveLimits) throws(SignetError) -> [String: String] {
    let links = entries.filter { if case .link = $0.kind { true } else { false } }
    var targets: [String: String] = [:]
    try Self.read(links, from: git, Self.linkLimit) { (entry, bytes) throws(SignetError) in
      targets[entry.path] = String(validating: bytes, as: UTF8.self)
    }
    do throws(SignetError) {
      try ArchiveRules.check(
        entries.map { entry in
          if case .link = entry.kind {
            (entry.path, .symbolicLink(target: targets[entry.path] ?? ""))
          } else {
            (entry.path, .file(size: entry.size))
          }
        }, limits)
    } catch {
      throw Self.refused(error.object, "is in the commit, and cannot be a link of a module", cause: error)
    }
    return targets
  }

  /// The bytes of a regular file; nil if the commit has none at that path.
  ///
  /// - Parameter limit: how many bytes it may have.
  /// - Throws: `git.tree` for a larger file; `git.failed`, `git.missing`.
  package func bytes(of path: String, from git: GitProgram, limit: Int) throws(SignetError) -> [UInt8]? {
    guard let entry = entries.first(where: { $0.path.isExactly(path) }), case .file = entry.kind else { return nil }
    guard entry.size <= limit else {
      throw Self.refused(path, "is too large", found: "\(entry.size) bytes")
    }
    var bytes: [UInt8] = []
    try GitBlobs.read([entry.id], from: git) { (_, piece, _) throws(SignetError) in bytes += piece }
    return bytes
  }

  /// The bytes of files, in their order. They are in memory at once, so the caller bounds their sizes.
  ///
  /// - Throws: `git.failed`, `git.missing`.
  package static func bytes(of files: [Entry], from git: GitProgram) throws(SignetError) -> [[UInt8]] {
    var texts: [[UInt8]] = []
    var bytes: [UInt8] = []
    try GitBlobs.read(files.map(\.id), from: git) { (_, piece, isEnd) throws(SignetError) in
      bytes += piece
      guard isEnd else { return }
      texts.append(bytes)
      bytes = []
    }
    return texts
  }

  /// The longest target of a link that rules accept.
  private static let linkLimit = EntryPath.lengthLimit

  private static func write(_ files: [Entry], into directory: Directory, from git: GitProgram) throws(SignetError) {
    var open: NewFile?
    try GitBlobs.read(files.map(\.id), from: git) { (index, piece, isEnd) throws(SignetError) in
      let entry = files[index]
      guard case .file(let isExecutable) = entry.kind else { return }
      try attempt(entry.path, in: directory) { (folder, name) throws(SystemFailure) in
        let file = if let open { open } else { try folder.newFile(name) }
        open = file
        try file.append(piece)
        guard isEnd else { return }
        _ = try file.finish(mode: isExecutable ? 0o755 : 0o644)
        open = nil
      }
    }
  }

  /// Reads small entries whole.
  private static func read(
    _ entries: [Entry], from git: GitProgram, _ limit: Int,
    _ body: (Entry, [UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    for entry in entries where entry.size > limit {
      throw refused(entry.path, "is a link with too long a target", found: "\(entry.size) bytes")
    }
    var bytes: [UInt8] = []
    try GitBlobs.read(entries.map(\.id), from: git) { (index, piece, isEnd) throws(SignetError) in
      bytes += piece
      guard isEnd else { return }
      try body(entries[index], bytes)
      bytes = []
    }
  }

  private static func makeFolders(
    above path: String, in directory: Directory, _ made: inout Set<String>
  ) throws(SignetError) {
    guard let folder = EntryPath.parent(of: path), !made.contains(folder) else { return }
    try makeFolders(above: folder, in: directory, &made)
    try attempt(folder, in: directory) { (above, name) throws(SystemFailure) in try above.makeDirectory(name) }
    made.insert(folder)
  }

  /// Runs the body with the folder that a path lies in, and the last name of the path.
  private static func attempt(
    _ path: String, in directory: Directory,
    _ body: (borrowing OpenFolder, [UInt8]) throws(SystemFailure) -> Void
  ) throws(SignetError) {
    let bytes = Array(path.utf8)
    let above = OpenFolder.path(of: bytes)
    do throws(SystemFailure) {
      try body(OpenFolder(above, in: directory), above.isEmpty ? bytes : Array(bytes[(above.count + 1)...]))
    } catch {
      throw SignetError(.outputFailed, directory.shown(bytes), "cannot be written", cause: error)
    }
  }
}

/// Reads the bytes of objects, one after the other.
private struct GitBlobs {
  /// Reads objects by their IDs.
  ///
  /// Git is asked by a file, because it would wait for a reader while the writer waits for git.
  ///
  /// - Parameter body: takes the index of the object, the next piece of its bytes, and whether it is the last one. Each
  ///   object has a last piece, which may be empty.
  /// - Throws: what the body throws; `git.missing`; `git.failed` also for an object that is no blob or has another ID.
  static func read(
    _ ids: [String], from git: GitProgram,
    _ body: (_ index: Int, _ piece: [UInt8], _ isEnd: Bool) throws(SignetError) -> Void
  ) throws(SignetError) {
    guard !ids.isEmpty else { return }
    let list = try TemporaryDirectory()
    let questions = "\(list.path)/objects"
    try OutputFile.write(Array(ids.map { $0 + "\n" }.joined().utf8), to: questions, .keep)
    var parser = Parser(ids)
    try git.run(["cat-file", "--batch"], input: .file(questions)) { (piece) throws(SignetError) in
      try parser.take(piece, body)
    }
    guard parser.isDone else { throw parser.fault("the end of what git prints") }
  }

  /// Reads `ID blob SIZE`, a line end, the bytes, and a line end, for each object.
  private struct Parser {
    private let ids: [String]
    private var index = 0
    private var head: [UInt8] = []
    /// How many bytes of the object are to come; nil in front of one.
    private var rest: Int?
    /// Longer than the ID, the type and the size of any object.
    private static let headLimit = 128

    init(_ ids: [String]) { self.ids = ids }

    var isDone: Bool { index == ids.count && rest == nil && head.isEmpty }

    mutating func take(
      _ bytes: [UInt8], _ body: (Int, [UInt8], Bool) throws(SignetError) -> Void
    ) throws(SignetError) {
      var bytes = bytes[...]
      while let first = bytes.first {
        if let missing = rest {
          if missing == 0 {
            // The line end behind the bytes.
            guard first == UInt8(ascii: "\n") else { throw fault("more bytes than the object has") }
            bytes = bytes.dropFirst()
            (rest, index) = (nil, index + 1)
            continue
          }
          let piece = bytes.prefix(missing)
          bytes = bytes.dropFirst(piece.count)
          rest = missing - piece.count
          try body(index, Array(piece), rest == 0)
          continue
        }
        bytes = bytes.dropFirst()
        guard first == UInt8(ascii: "\n") else {
          head.append(first)
          guard head.count <= Self.headLimit else { throw fault("no object") }
          continue
        }
        let size = try self.size()
        (rest, head) = (size, [])
        if size == 0 { try body(index, [], true) }
      }
    }

    private func size() throws(SignetError) -> Int {
      let words = head.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard index < ids.count, words.count == 3, words[0].isExactly(ids[index]), words[1].isExactly("blob"),
        let size = Int(words[2]), size >= 0
      else { throw fault(String(decoding: head, as: UTF8.self).display) }
      return size
    }

    func fault(_ found: String) -> SignetError {
      SignetError(
        .gitFailed, "git cat-file", "has not given the object that was asked for",
        expected: index < ids.count ? "the blob \(ids[index])" : "nothing more", found: found,
        hint: "check the repository: git fsck")
    }
  }
}
