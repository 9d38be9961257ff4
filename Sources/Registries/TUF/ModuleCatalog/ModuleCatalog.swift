public import ModuleStore
public import SignetBase
public import SignetTUF

/// A registry of modules, as those see it who take modules from it.
///
/// The folder keeps the trusted metadata and the indexes of modules that were asked for. Several processes may share it.
/// Mirrors are asked in their order.
///
/// ```swift
/// let folder = TrustedMetadataFolder("registry")
/// try folder.begin(with: root)
/// let mirror = RepositoryMirror(
///   metadata: try HTTPSource("https://modules.example.com/metadata/"),
///   targets: try HTTPSource("https://modules.example.com/targets/"))
/// let offers = try ModuleCatalog(folder: folder, mirrors: [mirror]).refreshed(at: now)
/// let index = try offers.index(of: player)
/// ```
public struct ModuleCatalog: ReleaseSource {
  /// Where the trusted metadata is kept.
  public let folder: TrustedMetadataFolder
  /// The mirrors, the one to ask first in front.
  public let mirrors: [RepositoryMirror]
  /// What is taken from a mirror at most.
  public let limits: TUFLimits
  /// The length in bytes of all indexes of one publisher together, as far as they are asked for at one time. What a thief
  /// of its key offers must not fill the memory: 128 MiB are some 200,000 releases.
  public var indexBytes = 128 << 20

  /// Names a registry, and asks nobody yet.
  ///
  /// - Parameters:
  ///   - folder: a folder that `TrustedMetadataFolder.begin(with:)` has given a root.
  ///   - mirrors: the mirrors.
  ///   - limits: what is taken from a mirror at most.
  public init(folder: TrustedMetadataFolder, mirrors: [RepositoryMirror], limits: TUFLimits = .standard) {
    self.folder = folder
    self.mirrors = mirrors
    self.limits = limits
  }

  /// Asks a mirror for the newest metadata.
  ///
  /// - Parameter time: the current time, by which expiry is judged.
  /// - Throws: what `TUFClient.refresh()` throws.
  public func refreshed(at time: UnixTime) throws(SignetError) -> ModuleOffers {
    let client = client(at: time)
    try client.refresh()
    return try ModuleOffers(client, indexBytes: indexBytes, at: time, isFresh: true)
  }

  /// Uses the metadata of the last refresh, as long as it has not expired.
  ///
  /// - Parameter time: the current time, by which expiry is judged.
  /// - Throws: what `TUFClient.useStored()` throws.
  public func stored(at time: UnixTime) throws(SignetError) -> ModuleOffers {
    let client = client(at: time)
    try client.useStored()
    return try ModuleOffers(client, indexBytes: indexBytes, at: time, isFresh: false)
  }

  private func client(at time: UnixTime) -> TUFClient {
    TUFClient(folder: folder, mirrors: mirrors, time: time, limits: limits)
  }
}
