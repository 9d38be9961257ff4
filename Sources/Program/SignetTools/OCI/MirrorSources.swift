internal import ModuleImages
internal import SignetBase
internal import SignetCLI
internal import SignetHTTP
internal import SignetOCI
internal import SignetTUF
internal import TUFFetch

/// Where the files of a repository of The Update Framework come from: a web server, or an OCI registry.
struct MirrorSources {
  let credentials: CredentialOptions
  let authorities: String?
  let proxy: String?

  /// The maximum time for one target in seconds: as for a module's archive (ArchiveFetcher.Limits).
  private static let targetSeconds = 3600

  /// The place of metadata or of targets at an address.
  ///
  /// - Parameter hasLargeFiles: whether targets are there, which may take longer.
  /// - Throws: `fetch.url`, `oci.reference`.
  func source(_ url: String, hasLargeFiles: Bool) throws(SignetError) -> any RepositorySource {
    guard !OCIPlace.isMeant(url) else { return try OCIRepositorySource(url, settings) }
    var limits = HTTPClient.Limits()
    if hasLargeFiles { limits.totalSeconds = Self.targetSeconds }
    return try HTTPSource(
      url, client: HTTPClient(limits: limits, authorities: authorities, proxy: proxy, names: .ofCommand))
  }

  /// A registry of modules at an address: its metadata and its targets.
  ///
  /// - Throws: what ``source(_:hasLargeFiles:)`` throws.
  func mirror(of registry: String) throws(SignetError) -> RepositoryMirror {
    guard !OCIPlace.isMeant(registry) else {
      let source = try OCIRepositorySource(registry, settings)
      return RepositoryMirror(metadata: source, targets: source)
    }
    let place = registry.utf8.last == UInt8(ascii: "/") ? registry : registry + "/"
    return RepositoryMirror(
      metadata: try source(place + "metadata/", hasLargeFiles: false),
      targets: try source(place + "targets/", hasLargeFiles: true))
  }

  /// A repository whose metadata is at an address, and its targets in `targets/` below, as Sigstore's are.
  ///
  /// - Throws: what ``source(_:hasLargeFiles:)`` throws.
  func mirror(withMetadataAt address: String) throws(SignetError) -> RepositoryMirror {
    guard !OCIPlace.isMeant(address) else { return try mirror(of: address) }
    let place = address.utf8.last == UInt8(ascii: "/") ? address : address + "/"
    return RepositoryMirror(
      metadata: try source(place, hasLargeFiles: false), targets: try source(place + "targets/", hasLargeFiles: true))
  }

  private var settings: RegistrySettings { credentials.settings(authorities: authorities, proxy: proxy) }
}

extension ServerNames {
  /// Where names have led in this command, whatever it asks for.
  static let ofCommand = ServerNames()
}
