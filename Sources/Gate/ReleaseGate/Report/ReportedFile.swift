public import SignetCrypto

extension GateReport {
  /// A file below the paths.
  public struct File: Sendable {
    /// The path from the release's folder, with slashes.
    public let path: String
    /// The size in bytes; for a directory that is signed as a whole, that of all its files.
    public let size: Int
    /// The SHA-256; for a directory that is signed as a whole, that of its listing; for a link, that of its text.
    public let sha256: Digest
    /// The twelve mode bits; nil for a link, whose permissions mean nothing, and for what has no bytes.
    public let mode: UInt32?
    /// What the file is to the gate.
    public let role: Role
    /// What the file is to the system.
    public let kind: Kind

    /// What a file is to the system.
    public enum Kind: String, Sendable, CaseIterable {
      /// A regular file.
      case file
      /// A directory that is signed, or must be signed, as a whole.
      case directory
      /// A symbolic link.
      case link
      /// A pipe, a device or a socket. It is left out, and has no bytes.
      case special
    }

    /// Creates a file.
    package init(path: String, size: Int, sha256: Digest, mode: UInt32?, role: Role, kind: Kind = .file) {
      self.path = path
      self.size = size
      self.sha256 = sha256
      self.mode = mode
      self.role = role
      self.kind = kind
    }
  }

  /// A folder that is only a place for files.
  public struct Folder: Sendable {
    /// The path from the release's folder, with slashes.
    public let path: String
    /// The twelve mode bits.
    public let mode: UInt32

    /// Creates a folder.
    package init(path: String, mode: UInt32) {
      self.path = path
      self.mode = mode
    }
  }

  /// What a file is to the gate.
  public enum Role: Sendable {
    /// It must be signed.
    case artifact(Artifact)
    /// It holds the signatures of this artifact.
    case bundle(of: String)
    /// A pattern leaves it out.
    case excluded(by: String)
    /// It is a symbolic link to this file or folder of the release. Its size and SHA-256 are those of the link's text.
    case link(to: String)
  }
}
