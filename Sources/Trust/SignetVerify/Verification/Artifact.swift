package import SignetBase
internal import SignetCrypto
public import SignetSystem

/// An artifact that is verified or signed: an open file, an open directory, or bytes.
///
/// An artifact is never a path, so that what was hashed is what is used.
public struct Artifact: Sendable {
  private enum Content {
    case file(RegularFile)
    case directory(Directory)
    case bytes([UInt8])
    case source(any ByteSource)
  }

  private let content: Content

  /// Makes an artifact of an open file.
  public static func file(_ file: RegularFile) -> Artifact { Artifact(content: .file(file)) }
  /// Makes an artifact of an open directory.
  public static func directory(_ directory: Directory) -> Artifact { Artifact(content: .directory(directory)) }
  /// Makes an artifact of bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> Artifact { Artifact(content: .bytes(bytes)) }

  /// Bytes that are elsewhere, and do not change.
  package static func source(_ source: any ByteSource) -> Artifact { Artifact(content: .source(source)) }

  /// The size in bytes. It is 0 for a directory, whose listing has the sizes of its files.
  public var size: Int {
    switch content {
    case .file(let file): file.size
    case .directory: 0
    case .bytes(let bytes): bytes.count
    case .source(let source): source.size
    }
  }

  /// The open file, the same descriptor that was hashed; nil for anything else.
  public var file: RegularFile? {
    if case .file(let file) = content { file } else { nil }
  }

  /// The open directory, the same descriptor that was read; nil for anything else.
  public var directory: Directory? {
    if case .directory(let directory) = content { directory } else { nil }
  }

  /// The bytes in memory, the same that were hashed; nil for anything else.
  public var bytes: [UInt8]? {
    if case .bytes(let bytes) = content { bytes } else { nil }
  }

  /// The flat digest.
  package func sha256(progress: ProgressCounter?) throws(SignetError) -> Digest {
    switch content {
    case .file(let file): try file.sha256(progress: progress)
    case .directory(let directory): throw Self.isDirectory(directory)
    case .bytes(let bytes): try Digest.of(bytes, .sha256)
    case .source(let source): try source.flatDigest(progress: progress)
    }
  }

  /// The tree digest.
  func fsverity(progress: ProgressCounter?) throws(SignetError) -> FSVerityDigest {
    switch content {
    case .file(let file): try file.fsverity(progress: progress)
    case .directory(let directory): throw Self.isDirectory(directory)
    case .bytes(let bytes): try FSVerityDigest(of: bytes)
    case .source(let source): try source.treeDigest(progress: progress)
    }
  }

  /// The flat and the tree digest, over the same bytes.
  package func digests(progress: ProgressCounter?) throws(SignetError) -> FileDigests {
    switch content {
    case .file(let file): try file.digests(progress: progress)
    case .directory(let directory): throw Self.isDirectory(directory)
    case .bytes(let bytes): try FileDigests(of: bytes)
    case .source(let source): try source.bothDigests(progress: progress)
    }
  }

  /// All bytes, in memory.
  package func bytes(limit: Int) throws(SignetError) -> [UInt8] {
    switch content {
    case .file(let file):
      let bytes = try file.bytes(limit: limit)
      try file.checkUnchanged()
      return bytes
    case .directory(let directory): throw Self.isDirectory(directory)
    case .bytes, .source:
      let source = try source()
      guard source.size <= limit else {
        throw SignetError(
          .fileTooLarge, "artifact", "is too large", expected: "at most \(limit) bytes",
          found: "\(source.size) bytes")
      }
      return try source.bytes(in: 0..<source.size)
    }
  }

  /// The bytes as a source. A directory has none.
  ///
  /// - Throws: `file.is-directory`.
  package func source() throws(SignetError) -> any ByteSource {
    switch content {
    case .file(let file): return file
    case .directory(let directory): throw Self.isDirectory(directory)
    case .bytes(let bytes): return BytesInMemory(bytes, path: "artifact")
    case .source(let source): return source
    }
  }

  /// Checks that a file has not changed since it was opened. What is in memory cannot change.
  ///
  /// - Throws: `file.changed`.
  package func checkUnchanged() throws(SignetError) { try file?.checkUnchanged() }

  /// The open directory, where only a directory will do.
  package func openDirectory() throws(SignetError) -> Directory {
    switch content {
    case .directory(let directory): return directory
    case .file(let file): throw Self.isNoDirectory(file.path)
    case .bytes, .source: throw Self.isNoDirectory("artifact")
    }
  }

  /// Checks that the artifact is a directory or a file, as the caller expects.
  func checkKind(isDirectory: Bool) throws(SignetError) {
    if isDirectory { _ = try openDirectory() } else if let directory { throw Self.isDirectory(directory) }
  }

  private static func isDirectory(_ directory: Directory) -> SignetError {
    SignetError(.fileIsDirectory, directory.path, "is a directory", expected: "a file")
  }

  private static func isNoDirectory(_ path: String) -> SignetError {
    SignetError(.fileNotDirectory, path, "is not a directory", expected: "a directory")
  }
}
