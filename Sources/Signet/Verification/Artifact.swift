package import SignetBase
internal import SignetCrypto
public import SignetSystem

/// What is verified or signed: a file or directory that is open, or bytes. Never a path: what was hashed is what is used.
public struct Artifact: Sendable {
  private enum Content {
    case file(RegularFile)
    case directory(Directory)
    case bytes([UInt8])
    case source(any ByteSource)
  }

  private let content: Content

  /// An open file.
  public static func file(_ file: RegularFile) -> Artifact { Artifact(content: .file(file)) }
  /// An open directory.
  public static func directory(_ directory: Directory) -> Artifact { Artifact(content: .directory(directory)) }
  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> Artifact { Artifact(content: .bytes(bytes)) }

  /// Bytes that are somewhere else, and stay what they are.
  package static func source(_ source: any ByteSource) -> Artifact { Artifact(content: .source(source)) }

  /// Its size in bytes; 0 for a directory, whose listing says what its files have.
  public var size: Int {
    switch content {
    case .file(let file): file.size
    case .directory: 0
    case .bytes(let bytes): bytes.count
    case .source(let source): source.size
    }
  }

  /// The open file, the same descriptor that was hashed; nil for bytes.
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

  /// Its flat digest.
  func sha256(progress: ProgressCounter?) throws(SignetError) -> Digest {
    switch content {
    case .file(let file): try file.sha256(progress: progress)
    case .directory(let directory): throw Self.isDirectory(directory)
    case .bytes(let bytes): try Digest.of(bytes, .sha256)
    case .source(let source): try source.flatDigest(progress: progress)
    }
  }

  /// Its tree digest.
  func fsverity(progress: ProgressCounter?) throws(SignetError) -> FSVerityDigest {
    switch content {
    case .file(let file): try file.fsverity(progress: progress)
    case .directory(let directory): throw Self.isDirectory(directory)
    case .bytes(let bytes): try FSVerityDigest(of: bytes)
    case .source(let source): try source.treeDigest(progress: progress)
    }
  }

  /// Both, over the same bytes.
  func digests(progress: ProgressCounter?) throws(SignetError) -> FileDigests {
    switch content {
    case .file(let file): try file.digests(progress: progress)
    case .directory(let directory): throw Self.isDirectory(directory)
    case .bytes(let bytes): try FileDigests(of: bytes)
    case .source(let source): try source.bothDigests(progress: progress)
    }
  }

  /// All its bytes.
  func bytes(limit: Int) throws(SignetError) -> [UInt8] {
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

  /// Its bytes, where nothing but a file's will do.
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

  /// Makes sure that a file is what it was when it was opened; what is in memory always is.
  ///
  /// - Throws: `file.changed`.
  package func checkUnchanged() throws(SignetError) { try file?.checkUnchanged() }

  /// The directory, where nothing else will do.
  func openDirectory() throws(SignetError) -> Directory {
    switch content {
    case .directory(let directory): return directory
    case .file(let file): throw Self.isNoDirectory(file.path)
    case .bytes, .source: throw Self.isNoDirectory("artifact")
    }
  }

  /// Makes sure that the artifact can be what the caller takes it for.
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
