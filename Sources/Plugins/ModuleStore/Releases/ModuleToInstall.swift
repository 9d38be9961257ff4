public import Signet
package import SignetBase
internal import SignetCrypto
internal import SignetFiles
package import SignetSystem

/// A module that is to be installed: its archive, the bundles that sign it, and what is known of both.
///
/// A store takes none of it on trust. It copies the archive, and verifies the copy under its own policy.
public struct ModuleToInstall: Sendable {
  let identifier: ModuleIdentifier
  let sequence: Int
  /// What messages call the module.
  let name: String
  let archive: any ByteSource
  /// The SHA-256 that the archive's bytes must have; nil if any bytes will do that are signed.
  let sha256: Digest?
  /// What lets the release have less than the one before it.
  package var exceptions = ContinuityExceptions()
  private let bundles: Bundles

  /// Where the bundles are that do not lie in the archive itself.
  private enum Bundles {
    case of(VerifiedModule)
    case from(SignatureSource)
  }

  /// A module that was verified just now, which is still open.
  ///
  /// - Throws: `file.…` if the proof is not about a file.
  public init(_ module: VerifiedModule) throws(SignetError) {
    identifier = module.module.identifier
    sequence = module.module.sequence
    name = module.name
    archive = try module.artifact.source()
    sha256 = nil
    bundles = .of(module)
  }

  /// A module that was verified before: exactly these bytes. Of many modules not all archives can stay open until the last
  /// one is verified.
  ///
  /// - Parameters:
  ///   - sha256: the digest of the bytes that were verified.
  ///   - bundles: where its bundles are. They may be others by now, and are verified again.
  package init(
    _ identifier: ModuleIdentifier, sequence: Int, called name: String, in archive: RegularFile, sha256: Digest,
    signatures bundles: SignatureSource
  ) {
    self.identifier = identifier
    self.sequence = sequence
    self.name = name
    self.archive = archive
    self.sha256 = sha256
    self.bundles = .from(bundles)
  }

  /// A private copy of the bundles from beside the archive, without repetitions; nil if there are none.
  ///
  /// - Parameters:
  ///   - folder: the folder whose file system holds the copy; no file appears in it.
  ///   - withSummary: whether a verification summary is one of them.
  func detachedBundles(in folder: String, withSummary: Bool) throws(SignetError) -> RegularFile? {
    var copy = try BundleCopy(of: name, in: folder)
    switch bundles {
    case .of(let module):
      try module.readBundles { (text, isAttached) throws(SignetError) in if !isAttached { try copy.add(text) } }
    case .from(let source):
      try source.readBundles(for: name, withSummary: withSummary) { (text) throws(SignetError) in try copy.add(text) }
    }
    return try copy.finish()
  }
}

/// A private file of bundles, one a line, each once.
struct BundleCopy {
  private let snapshot: Snapshot
  private var known: Set<Digest> = []

  /// - Parameter folder: the folder whose file system holds the file; no file appears in it.
  init(of name: String, in folder: String) throws(SignetError) {
    snapshot = try Snapshot(in: folder, of: "\(name): bundles")
  }

  mutating func add(_ text: [UInt8]) throws(SignetError) {
    guard try known.insert(Digest.of(text, .sha256)).inserted else { return }
    try snapshot.append(text + [UInt8(ascii: "\n")])
  }

  /// The file; nil if it has no bundle.
  func finish() throws(SignetError) -> RegularFile? {
    let file = try snapshot.finish()
    return known.isEmpty ? nil : file
  }
}
