/// The digests of one file.
public struct FileDigests: Hashable, Sendable {
  /// The file's size in bytes.
  public let size: Int
  /// The digest over the bytes in order; nil where it was not asked for.
  public let sha256: Digest?
  /// The digest over the tree; nil where it was not asked for.
  public let fsverity: FSVerityDigest?

  /// Which digests to compute, which decides how fast that can be.
  public enum Selection: Sendable {
    /// The flat digest alone: one thread.
    case sha256
    /// The tree digest alone: all cores.
    case fsverity
    /// Both in one pass over the same bytes, so that they cannot speak of different contents.
    case both
  }

  /// Computes digests of a file, in constant memory whatever its size.
  ///
  /// - Parameters:
  ///   - file: the file; it must not change meanwhile.
  ///   - selection: which digests.
  ///   - progress: counts the bytes that are done.
  /// - Throws: `file.changed` when the file shrinks, grows or is written to meanwhile, `file.read-failed`,
  ///   `crypto.failure`.
  public init(
    of file: RegularFile, _ selection: Selection, progress: ProgressCounter? = nil
  ) throws(SignetError) {
    switch selection {
    case .sha256: (sha256, fsverity) = (try FlatDigester.digest(file, progress), nil)
    case .fsverity: (sha256, fsverity) = (nil, try TreeDigester.digest(file, progress))
    case .both:
      let both = try CombinedDigester.digest(file, progress)
      (sha256, fsverity) = (both.sha256, both.fsverity)
    }
    try file.checkUnchanged()
    size = file.size
  }

  /// Computes both digests of bytes in memory.
  ///
  /// - Throws: `crypto.failure`.
  public init(of bytes: [UInt8]) throws(SignetError) {
    size = bytes.count
    sha256 = try Digest.of(bytes, .sha256)
    fsverity = try TreeDigester.digest(bytes)
  }
}
