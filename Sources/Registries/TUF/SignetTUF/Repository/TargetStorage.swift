public import SignetBase
internal import SignetCrypto
internal import SignetFiles
public import SignetSystem

extension RepositoryFolder {
  /// Puts a target into its place. It counts for nothing until a role offers it.
  ///
  /// - Parameters:
  ///   - target: what will be said of the file.
  ///   - file: the bytes, which must be those.
  /// - Throws: `tuf.target-name`, `tuf.hash-mismatch`, `tuf.too-short`, `tuf.too-long`, `tuf.unknown-hash`;
  ///   `output.failed`; `file.not-directory` if there is a link on the way, and other `file.…`.
  public func store(_ target: TargetFile, from file: RegularFile) throws(SignetError) {
    try check(target, file)
    for name in try target.safePaths() {
      let place = "\(Self.targetsName)/\(name)"
      try makeFolders(of: place)
      if let there = try? RegularFile(opening: "\(path)/\(place)") {
        try check(target, there)
        continue
      }
      // The bytes are compared again after they were copied: only what was hashed becomes a target.
      try OutputFile.write(file, to: "\(path)/\(place)", .keep) { () throws(SignetError) in
        try file.checkUnchanged()
      }
    }
  }

  /// Puts the bytes of a target into its place. They count for nothing until a role offers them.
  ///
  /// - Throws: `tuf.target-name`, `tuf.hash-mismatch`, `tuf.too-short`, `tuf.too-long`, `tuf.unknown-hash`;
  ///   `output.failed`; `file.…`.
  public func store(_ target: TargetFile, _ bytes: [UInt8]) throws(SignetError) {
    try FileHashes.check(length: bytes.count, is: target.length, target.path.display)
    try target.hashes.check(bytes, target.path.display)
    for name in try target.safePaths() {
      let place = "\(Self.targetsName)/\(name)"
      try makeFolders(of: place)
      if let there = try? RegularFile(opening: "\(path)/\(place)") {
        try check(target, there)
      } else {
        try OutputFile.write(bytes, to: "\(path)/\(place)", .keep)
      }
    }
  }

  /// The bytes of a target that is in its place.
  ///
  /// - Throws: what ``check(stored:)`` throws; `tuf.too-long` for more than `limit` bytes.
  public func bytes(of target: TargetFile, atMost limit: Int) throws(SignetError) -> [UInt8] {
    try FileHashes.check(length: min(limit, target.length), is: target.length, target.path.display)
    guard let name = try target.safePaths().first else { throw Self.missing(target.path.display) }
    let place = "\(Self.targetsName)/\(name)"
    let bytes: [UInt8]
    do throws(SignetError) { bytes = try RegularFile(opening: "\(path)/\(place)").bytes(limit: limit) } catch
      where error.code == .fileMissing
    {
      throw Self.missing(place)
    }
    try FileHashes.check(length: bytes.count, is: target.length, target.path.display)
    try target.hashes.check(bytes, target.path.display)
    return bytes
  }

  private static func missing(_ place: String) -> SignetError {
    SignetError(
      .tufNotFound, place, "is missing, although a role offers it",
      hint: "restore the file from a copy of the repository, or withdraw the target")
  }

  /// Checks that a target is in its place, with the bytes that its role states.
  ///
  /// - Throws: `tuf.not-found`, `tuf.hash-mismatch`, `tuf.too-short`, `tuf.too-long`, `tuf.unknown-hash`,
  ///   `tuf.target-name` for a place outside of the folder of targets; `file.…`.
  public func check(stored target: TargetFile) throws(SignetError) {
    for name in try target.safePaths() {
      let place = "\(Self.targetsName)/\(name)"
      let file: RegularFile
      do throws(SignetError) { file = try RegularFile(opening: "\(path)/\(place)") } catch
        where error.code == .fileMissing
      { throw Self.missing(place) }
      try check(target, file)
    }
  }

  private static let pieceSize = 1 << 20

  private func check(_ target: TargetFile, _ file: RegularFile) throws(SignetError) {
    try FileHashes.check(length: file.size, is: target.length, target.path.display)
    var sums = try FileSums(target.hashes, target.path.display)
    for offset in stride(from: 0, to: file.size, by: Self.pieceSize) {
      try sums.add(try file.bytes(in: offset..<min(file.size, offset + Self.pieceSize)))
    }
    try sums.finish()
    try file.checkUnchanged()
  }

  /// The names in a folder below the folder of targets, or in that itself for an empty path; none if it is no folder.
  ///
  /// - Throws: `file.unreadable`.
  package func targetNames(in path: String) throws(SignetError) -> [String] {
    do throws(SignetError) {
      return try names(in: path.isEmpty ? Self.targetsName : "\(Self.targetsName)/\(path)")
    } catch
      where error.code == .fileNotDirectory
    {
      return []
    }
  }

  private func makeFolders(of place: String) throws(SignetError) {
    var directory = try Directory(opening: path)
    for name in place.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
      let name = String(decoding: name, as: UTF8.self)
      do throws(SystemFailure) {
        // What is made must outlive a loss of power.
        if try directory.makeSubdirectory(name, mode: 0o755) { try directory.sync() }
      } catch {
        throw SignetError(.outputFailed, "\(directory.path)/\(name)", "cannot be created", cause: error)
      }
      directory = try directory.subdirectory(name)
    }
  }
}

extension TargetFile {
  /// The files below the folder of targets, one for each hash (specification, section 6.2): `DIR/HASH.NAME`.
  public var filePaths: [String] {
    urlPaths(isConsistent: true).compactMap { PercentEncoding.decode($0) }
  }

  /// The files, none of which is outside of the folder of targets. The path and the hashes are texts that a publisher
  /// has chosen, and a file's name has no escapes: `%2e%2e` is `..`.
  ///
  /// - Throws: `tuf.target-name`, `tuf.unknown-hash`; `crypto.failure`.
  func safePaths() throws(SignetError) -> [String] {
    try TargetPath(path).checkSafe()
    for hash in hashes.entries where Hexadecimal.decodeEither(hash.hex)?.isEmpty ?? true {
      throw SignetError(
        .tufUnknownHash, path.display, "has a hash that is not hexadecimal", found: hash.hex.display)
    }
    let paths = filePaths
    for path in paths { try TargetPath(path).checkSafe() }
    return paths
  }
}
