public import SignetCrypto

/// What is verified or signed: a file that is open, or bytes. Never a path: what was hashed is what is used.
public enum Artifact: Sendable {
  /// An open file.
  case file(RegularFile)
  /// Bytes in memory.
  case bytes([UInt8])

  /// Its size in bytes.
  public var size: Int {
    switch self {
    case .file(let file): file.size
    case .bytes(let bytes): bytes.count
    }
  }

  /// Its flat digest.
  func sha256(progress: ProgressCounter?) throws(SignetError) -> Digest {
    switch self {
    case .file(let file): try file.sha256(progress: progress)
    case .bytes(let bytes): try Digest.of(bytes, .sha256)
    }
  }

  /// Its tree digest.
  func fsverity(progress: ProgressCounter?) throws(SignetError) -> FSVerityDigest {
    switch self {
    case .file(let file): try file.fsverity(progress: progress)
    case .bytes(let bytes): try FSVerityDigest(of: bytes)
    }
  }

  /// Both, over the same bytes.
  func digests(progress: ProgressCounter?) throws(SignetError) -> FileDigests {
    switch self {
    case .file(let file): try file.digests(progress: progress)
    case .bytes(let bytes): try FileDigests(of: bytes)
    }
  }
}
