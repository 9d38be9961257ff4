public import SignetBase
public import SignetSystem

/// Both digests of the same bytes.
public struct FileDigests: Hashable, Sendable {
  /// How many bytes there are.
  public let size: Int
  /// The digest over the bytes in order.
  public let sha256: Digest
  /// The digest over the tree of blocks.
  public let fsverity: FSVerityDigest

  package init(size: Int, sha256: Digest, fsverity: FSVerityDigest) {
    self.size = size
    self.sha256 = sha256
    self.fsverity = fsverity
  }

  /// Digests bytes in memory.
  ///
  /// - Throws: `crypto.failure`.
  public init(of bytes: [UInt8]) throws(SignetError) {
    self.init(size: bytes.count, sha256: try Digest.of(bytes, .sha256), fsverity: try FSVerityDigest(of: bytes))
  }
}

extension FSVerityDigest {
  /// Digests bytes in memory.
  ///
  /// - Throws: `crypto.failure`.
  public init(of bytes: [UInt8]) throws(SignetError) { self = try TreeDigester.digest(bytes) }
}

/// Digests of a file: constant memory whatever its size, and `file.changed` when it shrinks, grows or is written to
/// meanwhile. `progress` counts the bytes that are done.
extension RegularFile {
  /// The flat digest: one thread, since it is a chain.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  public func sha256(progress: ProgressCounter? = nil) throws(SignetError) -> Digest {
    let digest = try FlatDigester.digest(self, progress)
    try checkUnchanged()
    return digest
  }

  /// The tree digest: all cores.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  public func fsverity(progress: ProgressCounter? = nil) throws(SignetError) -> FSVerityDigest {
    let digest = try TreeDigester.digest(self, progress)
    try checkUnchanged()
    return digest
  }

  /// Both digests in one pass over the same bytes, so that they cannot speak of different contents.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  public func digests(progress: ProgressCounter? = nil) throws(SignetError) -> FileDigests {
    let digests = try CombinedDigester.digest(self, progress).whole
    try checkUnchanged()
    return digests
  }
}

/// Digests of any bytes. Whether a file underneath has changed meanwhile is for the caller to see.
extension ByteSource {
  /// The flat digest.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package func flatDigest(progress: ProgressCounter?) throws(SignetError) -> Digest {
    try FlatDigester.digest(self, progress)
  }

  /// The tree digest.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package func treeDigest(progress: ProgressCounter?) throws(SignetError) -> FSVerityDigest {
    try TreeDigester.digest(self, progress)
  }

  /// The tree digest, and other work on the same bytes in the meantime.
  ///
  /// - Parameter meanwhile: work that every thread joins before it hashes; it returns when there is none left to begin.
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

  /// Both digests in one pass over the same bytes, and what was computed of the first of them.
  ///
  /// - Parameter head: how many of the first bytes another content has, too; more than there are count as all.
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package func bothDigests(
    sharing head: Int, progress: ProgressCounter?
  ) throws(SignetError) -> DigestsWithSharedHead {
    try CombinedDigester.digest(self, sharing: min(head, size), progress)
  }
}

/// The flat digest of a file: read and hashed in order.
enum FlatDigester {
  private static let readSize = 256 << 10

  /// Memory for the bytes of files up to a size that are read at once. Small files get little: a whole block would be mapped for them, and
  /// unmapping it stops all threads of the process for a moment.
  static func buffer(for size: Int) -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: min(readSize, max(size, 1)), alignment: 4096)
  }

  static func digest(_ file: any ByteSource, _ progress: ProgressCounter?) throws(SignetError) -> Digest {
    let buffer = unsafe buffer(for: file.size)
    defer { unsafe buffer.deallocate() }
    return try unsafe digest(file, buffer, progress)
  }

  /// The same in a buffer of the caller's, for many small files.
  static func digest(
    _ file: any ByteSource, _ buffer: UnsafeMutableRawBufferPointer, _ progress: ProgressCounter?
  ) throws(SignetError) -> Digest {
    var digest = try IncrementalDigest(.sha256)
    for offset in stride(from: 0, to: file.size, by: buffer.count) {
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, file.size - offset)])
      try unsafe file.read(into: part, at: offset)
      try unsafe digest.update(UnsafeRawBufferPointer(part))
      progress?.add(part.count)
    }
    return try digest.finish()
  }
}
