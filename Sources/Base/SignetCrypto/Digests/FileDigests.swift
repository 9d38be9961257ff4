public import SignetBase
public import SignetSystem

/// The SHA-256 (flat digest) and the fs-verity digest (tree digest) of the same bytes.
public struct FileDigests: Hashable, Sendable {
  /// The number of bytes.
  public let size: Int
  /// The SHA-256 over the bytes in order.
  public let sha256: Digest
  /// The fs-verity digest, over a tree of blocks.
  public let fsverity: FSVerityDigest

  package init(size: Int, sha256: Digest, fsverity: FSVerityDigest) {
    self.size = size
    self.sha256 = sha256
    self.fsverity = fsverity
  }

  /// Computes both digests of bytes in memory.
  ///
  /// - Throws: `crypto.failure`.
  public init(of bytes: [UInt8]) throws(SignetError) {
    self.init(size: bytes.count, sha256: try Digest.of(bytes, .sha256), fsverity: try FSVerityDigest(of: bytes))
  }
}

extension FSVerityDigest {
  /// Computes the fs-verity digest of bytes in memory.
  ///
  /// - Throws: `crypto.failure`.
  public init(of bytes: [UInt8]) throws(SignetError) { self = try TreeDigester.digest(bytes) }
}

/// Digests of a file, computed in constant memory whatever its size.
///
/// They throw `file.changed` if the file shrinks, grows or is written to meanwhile. `progress` counts the bytes that
/// are done.
extension RegularFile {
  /// The SHA-256 of the file, computed on one thread because each block depends on the one before.
  ///
  /// - Throws: `file.changed`, `file.unreadable`, `file.read-failed`, `crypto.failure`.
  public func sha256(progress: ProgressCounter? = nil) throws(SignetError) -> Digest {
    let digest = try FlatDigester.digest(self, progress)
    try checkUnchanged()
    return digest
  }

  /// The fs-verity digest of the file, computed on all cores.
  ///
  /// - Throws: `file.changed`, `file.unreadable`, `file.read-failed`, `crypto.failure`.
  public func fsverity(progress: ProgressCounter? = nil) throws(SignetError) -> FSVerityDigest {
    let digest = try TreeDigester.digest(self, progress)
    try checkUnchanged()
    return digest
  }

  /// The SHA-256 and the fs-verity digest of the file, from one pass over the bytes, so that they cannot describe
  /// different contents.
  ///
  /// - Throws: `file.changed`, `file.unreadable`, `file.read-failed`, `crypto.failure`.
  public func digests(progress: ProgressCounter? = nil) throws(SignetError) -> FileDigests {
    let digests = try CombinedDigester.digest(self, progress).whole
    try checkUnchanged()
    return digests
  }
}

/// Digests of any bytes; the caller must check whether an underlying file has changed meanwhile.
extension ByteSource {
  /// The flat digest.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package func flatDigest(
    _ algorithm: DigestAlgorithm = .sha256, progress: ProgressCounter?
  ) throws(SignetError) -> Digest {
    try FlatDigester.digest(self, by: algorithm, progress)
  }

  /// The tree digest.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package func treeDigest(progress: ProgressCounter?) throws(SignetError) -> FSVerityDigest {
    try TreeDigester.digest(self, progress)
  }

  /// The tree digest, with other work on the same bytes in the meantime.
  ///
  /// - Parameter meanwhile: work that every thread joins before it hashes; it must return when no work is left to
  ///   begin.
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package func treeDigest(
    progress: ProgressCounter?, meanwhile: @escaping @Sendable () -> Void
  ) throws(SignetError) -> FSVerityDigest {
    try TreeDigester.digest(self, progress, meanwhile: meanwhile)
  }

  /// Both digests in one pass over the same bytes.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package func bothDigests(progress: ProgressCounter?) throws(SignetError) -> FileDigests {
    try CombinedDigester.digest(self, progress).whole
  }

  /// Both digests in one pass over the same bytes, and the state after the first of them.
  ///
  /// - Parameter head: how many of the first bytes are shared with another content; it is limited to the number of
  ///   bytes.
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package func bothDigests(
    sharing head: Int, progress: ProgressCounter?
  ) throws(SignetError) -> DigestsWithSharedHead {
    try CombinedDigester.digest(self, sharing: min(head, size), progress)
  }
}

/// Computes the flat digest of a file, which is read and hashed in order.
enum FlatDigester {
  private static let readSize = 256 << 10

  /// A buffer for reading files up to a size.
  ///
  /// Small files get a small buffer. A large one would be mapped for them, and unmapping it stops all threads of the
  /// process for a moment.
  static func buffer(for size: Int) -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: min(readSize, max(size, 1)), alignment: 4096)
  }

  static func digest(
    _ file: any ByteSource, by algorithm: DigestAlgorithm = .sha256, _ progress: ProgressCounter?
  ) throws(SignetError) -> Digest {
    let buffer = unsafe buffer(for: file.size)
    defer { unsafe buffer.deallocate() }
    return try unsafe digest(file, buffer, by: algorithm, progress)
  }

  /// Computes the digest with a buffer of the caller, for many small files.
  static func digest(
    _ file: any ByteSource, _ buffer: UnsafeMutableRawBufferPointer, by algorithm: DigestAlgorithm = .sha256,
    _ progress: ProgressCounter?
  ) throws(SignetError) -> Digest {
    var digest = try IncrementalDigest(algorithm)
    for offset in stride(from: 0, to: file.size, by: buffer.count) {
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, file.size - offset)])
      try unsafe file.read(into: part, at: offset)
      try unsafe digest.update(UnsafeRawBufferPointer(part))
      progress?.add(part.count)
    }
    return try digest.finish()
  }
}
