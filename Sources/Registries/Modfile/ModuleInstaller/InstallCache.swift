internal import ModuleCatalog
internal import ModuleResolver
internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem
internal import SignetTUF

/// What installations keep on this machine, for all projects of a user: the trusted metadata of registries, and files of
/// releases by their digests.
///
/// The metadata begins at the first root that the project names, so only the user may write it. The files are hashed
/// whenever they are used.
public struct InstallCache: Sendable {
  /// The path of the folder.
  public let path: String

  private static let metadataName = "registries"
  private static let filesName = "files"
  private static let commitsName = "git"
  private static let headsName = "heads"

  /// Names a cache, which need not exist yet.
  public init(_ path: String) { self.path = path }

  /// The folder of the trusted metadata of a registry. Another first root has another folder.
  ///
  /// - Throws: what `TrustedMetadataFolder.begin(with:)` throws; `file.others-may-write`; `output.failed`.
  func metadata(of source: ModuleSource, root: [UInt8]) throws(SignetError) -> TrustedMetadataFolder {
    let name = try Digest.of(Array("\(source.url)\0".utf8) + root, .sha256).hex
    let folder = "\(path)/\(Self.metadataName)/\(name)"
    for folder in [path, "\(path)/\(Self.metadataName)", folder] { try Self.make(folder) }
    _ = try TrustedPath.openFolder(folder)
    let metadata = TrustedMetadataFolder(folder)
    // A root that has been replaced since is a later one of the same registry, as is one of another installation that
    // begins at the same time: the folder's name has the digest of the first one.
    do throws(SignetError) { _ = try RegularFile(opening: "\(folder)/root.json") } catch
      where error.code == .fileMissing
    {
      do throws(SignetError) { try metadata.begin(with: root) } catch  where error.code == .outputExists {}
    }
    return metadata
  }

  /// The place of a file by its SHA-256.
  ///
  /// - Throws: `output.failed`.
  func place(of digest: Digest) throws(SignetError) -> String {
    for folder in [path, "\(path)/\(Self.filesName)"] { try Self.make(folder) }
    return "\(path)/\(Self.filesName)/\(digest.hex)"
  }

  /// Where bundles are that were beside a file at an address: the beginning of their names. What an address gives says
  /// nothing about the same file at another one.
  ///
  /// - Throws: `output.failed`.
  func bundles(of digest: Digest, at address: String) throws(SignetError) -> String {
    "\(try place(of: digest)).\(try Digest.of(Array(address.utf8), .sha256).hex)"
  }

  /// The folder with the heads of a repository of specs.
  ///
  /// - Parameter isMade: whether the folder is made if it is missing.
  /// - Throws: `file.missing`, `file.others-may-write`; `output.failed`.
  func heads(of address: String, isMade: Bool) throws(SignetError) -> String {
    let name = try Digest.of(Array(address.utf8), .sha256).hex
    let folder = "\(path)/\(Self.headsName)/\(name)"
    if isMade { for folder in [path, "\(path)/\(Self.headsName)", folder] { try Self.make(folder) } }
    _ = try TrustedPath.openFolder(folder)
    return folder
  }

  /// The place of a repository with a commit of an address, which is whole or missing. Its folder is there.
  ///
  /// - Throws: `file.others-may-write`; `output.failed`.
  func commit(_ id: String, of address: String) throws(SignetError) -> String {
    let name = try Digest.of(Array("\(address)\0\(id)".utf8), .sha256).hex
    let folder = "\(path)/\(Self.commitsName)"
    for folder in [path, folder] { try Self.make(folder) }
    _ = try TrustedPath.openFolder(folder)
    let place = "\(folder)/\(name)"
    do throws(SignetError) { _ = try TrustedPath.openFolder(place) } catch  where error.code == .fileMissing {}
    return place
  }

  /// Makes a folder, and those above it that are missing: a new account has no `~/.cache`.
  private static func make(_ folder: String) throws(SignetError) {
    do throws(SystemFailure) { try Directory.makeWithParents(folder, mode: 0o700) } catch {
      throw SignetError(.outputFailed, folder, "cannot be created", cause: error)
    }
  }
}
