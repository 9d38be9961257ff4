package import SignetSystem

/// A file of the release.
package struct ReleaseFile: Sendable {
  /// The path from the release's folder.
  package let path: String
  package let role: Role
  /// The index of the folder that it is in, among those that were scanned.
  package let root: Int
  /// The entry of the folder.
  package let entry: DirectoryScan.Entry

  /// The size in bytes; it has no meaning for a folder or a link.
  package var size: Int { entry.status.size }
  /// The permission bits, with set-user-ID, set-group-ID and the sticky bit.
  package var mode: UInt32 { entry.status.mode }
  /// The kind of the entry.
  package var kind: FileStatus.Kind { entry.status.kind }
  /// Where a link leads; nil for anything else.
  package var target: [UInt8]? { entry.target }

  /// What a file is to the gate.
  package enum Role: Sendable {
    /// It must be signed. Its bundles have these paths.
    case artifact(bundles: [String])
    /// A directory that is signed as a whole: a bundle is beside it.
    case directory(bundles: [String])
    /// It holds the signatures of the artifact with this path, which may be missing.
    case bundle(of: String, isOrphan: Bool)
    /// It holds statements of other programs about the artifact with this path, which is there.
    ///
    /// `tool.provenance.sigstore.json` has the label `provenance`, if there is a `tool` and no `tool.provenance`.
    case attestation(of: String, label: String)
    /// This pattern leaves it out.
    case excluded(PathPattern)
    /// It is below a directory that is signed as a whole.
    case part(of: String)
    /// It is a symbolic link to this file or folder of the release.
    case link(to: String)
    /// It is a folder, and no more than a place for others.
    case folder
  }
}
