public import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

extension TUFClient {
  /// Downloads a target into a folder (specification, section 5.7).
  ///
  /// The file is named by the target's whole path, percent-encoded. A file that is there and has the stated length and
  /// hashes is kept, and nothing is requested, unless it is a link or others may write it. The file appears only when everything has been checked.
  ///
  /// - Returns: the path of the file.
  /// - Throws: `tuf.too-short`, `tuf.too-long`, `tuf.hash-mismatch`, `tuf.unknown-hash`; what the source throws;
  ///   `output.failed`.
  public func download(_ target: VerifiedTarget, to folder: String) throws(SignetError) -> String {
    try download(target, toFile: "\(folder)/" + Self.fileName(of: target))
  }

  /// Downloads a target to a file of a certain path, which is replaced.
  ///
  /// - Returns: the path of the file.
  /// - Throws: what ``download(_:to:)`` throws.
  public func download(_ target: VerifiedTarget, toFile path: String) throws(SignetError) -> String {
    try download(target.file, at: try target.urlPath(), toFile: path)
    return path
  }

  /// Downloads a file of which a target says what it is, to a file of a certain path, which is replaced.
  ///
  /// - Parameters:
  ///   - file: the length and the hashes.
  ///   - urlPath: the path of the file, relative to the place of the targets.
  ///   - path: where the file is put.
  /// - Throws: what ``download(_:to:)`` throws.
  package func download(_ file: TargetFile, at urlPath: String, toFile path: String) throws(SignetError) {
    if try Self.isThere(file, path) { return }
    // Somebody else may download the same file, and read it already. What is as it should be is never replaced: a
    // reader would see it change.
    let existing: OutputFile.Existing = try Self.hasName(path) ? .replace(unless: []) : .keep
    try firstOf(mirrors.map(\.targets)) { (source) throws(SignetError) in
      do throws(SignetError) {
        try Self.download(file, at: urlPath, from: source, to: path, existing)
      } catch  where error.code == .outputExists {
        guard try Self.isThere(file, path) else { throw error }
      }
    }
  }

  private static func download(
    _ file: TargetFile, at urlPath: String, from source: any RepositorySource, to path: String,
    _ existing: OutputFile.Existing
  ) throws(SignetError) {
    let draft = try OutputDraft(to: path, existing)
    var sums = try FileSums(file.hashes, file.path.display)
    var count = 0
    try source.bounded(urlPath, atMost: file.length) { (piece) throws(SignetError) in
      count += piece.count
      try sums.add(piece)
      try draft.write(piece)
    }
    try FileHashes.check(length: count, is: file.length, file.path.display)
    try sums.finish()
    try draft.publish()
  }

  private static func hasName(_ path: String) throws(SignetError) -> Bool {
    do throws(SignetError) { _ = try FileStatus(ofLink: path) } catch  where error.code == .fileMissing {
      return false
    }
    return true
  }

  /// The longest file name of common file systems (NAME_MAX), in bytes.
  private static let longestFileName = 255

  /// The name of a target's file. A path that is too long for a name gives the name of its digest.
  private static func fileName(of target: VerifiedTarget) throws(SignetError) -> String {
    let name = PercentEncoding.fileName(target.path)
    guard name.utf8.count > longestFileName else { return name }
    return try "sha256-\(Digest.of(Array(target.path.utf8), .sha256).hex)"
  }

  private static let pieceSize = 1 << 20

  /// Whether a file is the target already, and nobody else can change it or lead its name to another one.
  private static func isThere(_ target: TargetFile, _ path: String) throws(SignetError) -> Bool {
    guard let file = try? RegularFile(openingNoFollow: path), file.size == target.length,
      (try? TrustedPath.check(file, path, isSecret: false)) != nil
    else { return false }
    var sums = try FileSums(target.hashes, target.path.display)
    do throws(SignetError) {
      for offset in stride(from: 0, to: file.size, by: pieceSize) {
        try sums.add(try file.bytes(in: offset..<min(file.size, offset + pieceSize)))
      }
      try sums.finish()
      return true
    } catch  where [.tufHashMismatch, .fileChanged, .fileReadFailed].contains(error.code) {
      return false
    }
  }
}

extension TUFClient {
  /// The bytes of a target, which are kept in a file.
  ///
  /// If the file has them already, nothing is requested.
  ///
  /// - Parameters:
  ///   - target: the target. Its length says how much memory this takes.
  ///   - path: the path of the file, which is replaced.
  /// - Throws: what ``download(_:to:)`` throws.
  package func bytes(of target: VerifiedTarget, keptAt path: String) throws(SignetError) -> [UInt8] {
    if let kept = try? RegularFile(opening: path).bytes(limit: target.file.length), try Self.matches(target, kept) {
      return kept
    }
    let bytes = try self.bytes(of: target)
    try OutputFile.write(bytes, to: path, .replace(unless: []))
    return bytes
  }

  /// The bytes of a target, which are kept nowhere.
  ///
  /// - Parameter target: the target. Its length says how much memory this takes.
  /// - Throws: what ``download(_:to:)`` throws, but for `output.failed`.
  package func bytes(of target: VerifiedTarget) throws(SignetError) -> [UInt8] {
    let urlPath = try target.urlPath()
    return try firstOf(mirrors.map(\.targets)) { (source) throws(SignetError) in
      let bytes = try source.bytes(of: urlPath, atMost: target.file.length)
      try FileHashes.check(length: bytes.count, is: target.file.length, target.path.display)
      try target.file.hashes.check(bytes, target.path.display)
      return bytes
    }
  }

  private static func matches(_ target: VerifiedTarget, _ bytes: [UInt8]) throws(SignetError) -> Bool {
    guard bytes.count == target.file.length else { return false }
    do throws(SignetError) { try target.file.hashes.check(bytes, target.path.display) } catch
      where error.code == .tufHashMismatch
    {
      return false
    }
    return true
  }
}
