public import SignetCrypto

/// What is verified or signed: a file that is open, or bytes. Never a path: what was hashed is what is used.
public struct Artifact: Sendable {
  private enum Content {
    case file(RegularFile)
    case bytes([UInt8])
  }

  private let content: Content

  /// An open file.
  public static func file(_ file: RegularFile) -> Artifact { Artifact(content: .file(file)) }
  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> Artifact { Artifact(content: .bytes(bytes)) }

  /// Its size in bytes.
  public var size: Int {
    switch content {
    case .file(let file): file.size
    case .bytes(let bytes): bytes.count
    }
  }

  /// The open file, the same descriptor that was hashed; nil for bytes.
  public var file: RegularFile? {
    if case .file(let file) = content { file } else { nil }
  }

  /// The bytes in memory, the same that were hashed; nil for a file.
  public var bytes: [UInt8]? {
    if case .bytes(let bytes) = content { bytes } else { nil }
  }

  /// Its flat digest.
  func sha256(progress: ProgressCounter?) throws(SignetError) -> Digest {
    switch content {
    case .file(let file): try file.sha256(progress: progress)
    case .bytes(let bytes): try Digest.of(bytes, .sha256)
    }
  }

  /// Its tree digest.
  func fsverity(progress: ProgressCounter?) throws(SignetError) -> FSVerityDigest {
    switch content {
    case .file(let file): try file.fsverity(progress: progress)
    case .bytes(let bytes): try FSVerityDigest(of: bytes)
    }
  }

  /// Both, over the same bytes.
  func digests(progress: ProgressCounter?) throws(SignetError) -> FileDigests {
    switch content {
    case .file(let file): try file.digests(progress: progress)
    case .bytes(let bytes): try FileDigests(of: bytes)
    }
  }
}
