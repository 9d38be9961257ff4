internal import SignetBase
public import SignetNames

/// What a release is made of, so that a lock knows it again.
public enum ReleaseContent: Hashable, Sendable {
  /// A release in a registry, by its digests.
  case registry(ReleaseDigests)
  /// A release that a spec describes.
  case spec(SpecifiedRelease)

  /// The content, for messages.
  var words: String {
    switch self {
    case .registry(let digests): digests.words
    case .spec(let release): release.words
    }
  }
}

/// What a spec says of its release: where the sources are and, if there is one, which binary is meant.
public struct SpecifiedRelease: Hashable, Sendable {
  /// The SHA-256 of the spec's bytes.
  public let spec: Digest
  /// The commit with the sources.
  public let commit: GitCommit
  /// The SHA-256 of the module's file; nil if the release is source alone.
  public let archive: Digest?

  /// Creates the record of a release; nil unless the digests are SHA-256.
  public init?(spec: Digest, commit: GitCommit, archive: Digest? = nil) {
    guard [spec, archive].allSatisfy({ $0 == nil || $0?.algorithm == .sha256 }) else { return nil }
    self.spec = spec
    self.commit = commit
    self.archive = archive
  }

  var words: String { "spec \(spec), commit \(commit.id)" + (archive.map { ", module \($0)" } ?? "") }
}
