internal import SignetAddresses
public import SignetBase
internal import SignetCrypto
package import SignetOCI
internal import SignetSystem
public import SignetTUF

/// A place of a repository of The Update Framework in an OCI registry, or in an image layout.
///
/// The registry decides nothing: what it gives is verified like the files of any other mirror. One source serves both the
/// metadata and the targets.
public final class OCIRepositorySource: RepositorySource {
  /// The place, as it is written.
  public let name: String

  /// Opens the place: a connection is used by one thread at a time.
  private let open: @Sendable () throws(SignetError) -> any OCIStorage
  private let state = Monitor(State())

  /// What is known of the place.
  private struct State {
    /// Connections that nobody uses now.
    var idle: [any OCIStorage] = []
    /// The files of the metadata by their names, as they were when they were last asked for.
    var files: [String: OCIDescriptor] = [:]
    /// The version of the root that was asked for last; nil after the timestamp.
    var root: Int?
  }

  /// Names a place, and asks nobody yet.
  ///
  /// - Parameter place: `oci://HOST/NAME` or `oci-layout:DIRECTORY`. A registry is asked over https, without
  ///   credentials.
  /// - Throws: `oci.reference`.
  public convenience init(_ place: String) throws(SignetError) { try self.init(place, RegistrySettings()) }

  /// Names a place, and asks nobody yet. A registry is asked over https.
  ///
  /// - Parameters:
  ///   - place: `oci://HOST/NAME` or `oci-layout:DIRECTORY`.
  ///   - credentials: a file like docker's `config.json`, with names and passwords in it. Programs that it names are not
  ///     asked. Only this user may be able to write it.
  ///   - authorities: a PEM file with the certificates of the authorities that identify servers; nil for the system's.
  /// - Throws: `oci.reference`.
  public convenience init(
    _ place: String, credentials: String, authorities: String? = nil
  ) throws(SignetError) {
    var settings = RegistrySettings()
    settings.authorities = authorities
    settings.credentials = DockerCredentials([credentials], isRequired: true) { _, _ in nil }
    try self.init(place, settings)
  }

  /// Names a place, and asks nobody yet.
  ///
  /// - Throws: `oci.reference`.
  package init(_ place: String, _ settings: RegistrySettings) throws(SignetError) {
    let parsed = try OCIPlace(place)
    guard parsed.manifest == nil else {
      throw SignetError(
        .ociReference, place.display, "has a tag or a digest, and a repository has its own tags",
        expected: "oci://HOST/NAME or oci-layout:DIRECTORY", hint: "leave the tag out")
    }
    name = place
    open = { () throws(SignetError) in try parsed.open(settings) }
  }

  /// Gives the bytes of a file of the metadata, or of a target.
  ///
  /// - Throws: `tuf.not-found`, `tuf.too-long`, `tuf.unreachable`, whose cause says why; what `receive` throws.
  public func read(
    _ path: String, atMost limit: Int, _ receive: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    var refusal: SignetError?
    do throws(SignetError) {
      let idle = state.withLock { $0.idle.popLast() }
      let storage = if let idle { idle } else { try open() }
      func hand(_ piece: [UInt8]) throws(SignetError) {
        do throws(SignetError) { try receive(piece) } catch {
          refusal = error
          throw error
        }
      }
      if let target = RepositoryImage.digest(ofTarget: path) {
        // The caller compares the length and the hashes.
        try storage.read(target, atMost: limit, hand)
      } else {
        // What the manifest names is compared here, so that all files are of one state.
        try hand(storage.bytes(of: file(path, storage), limit: limit))
      }
      state.withLock { $0.idle.append(storage) }
    } catch {
      // Whatever was wrong with it, the next refresh looks again.
      state.withLock { $0.root = nil }
      throw refusal ?? Self.fault("\(name)/\(path)", error)
    }
  }

  /// A file of the metadata. None begins with 64 hexadecimal digits, as targets do: versions are shorter.
  private func file(_ path: String, _ storage: any OCIStorage) throws(SignetError) -> OCIDescriptor {
    // A refresh asks for the roots one after the other, then for the timestamp, then for what that names: all of them are
    // of one state. Whatever else comes begins another refresh.
    let root = path.utf8.suffix(10).elementsEqual(".root.json".utf8) ? Int(path.prefix { $0 != "." }) : nil
    let isTimestamp = path.isExactly("timestamp.json")
    let isNew = state.withLock { (state) in
      let before = state.root
      if root != nil || isTimestamp { state.root = root }
      return isTimestamp ? before == nil : root != nil && before.map { $0 &+ 1 } != root
    }
    if isNew {
      let files = try Self.files(storage)
      state.withLock { $0.files = files }
    }
    let file = state.withLock { $0.files[path] }
    guard let file else {
      throw SignetError(.tufNotFound, "\(storage.name)/\(path.display)", "is not in the repository")
    }
    return file
  }

  private static func files(_ storage: any OCIStorage) throws(SignetError) -> [String: OCIDescriptor] {
    guard let manifest = try storage.manifest(.tag(RepositoryImage.metadataTag)) else { return [:] }
    guard case .image(_, let layers) = manifest.content else { return [:] }
    var files: [String: OCIDescriptor] = [:]
    for layer in layers {
      guard let name = layer.annotations[RepositoryImage.fileName] else { continue }
      files[name] = layer
    }
    return files
  }

  /// What a failure means for a client of The Update Framework.
  private static func fault(_ object: String, _ error: SignetError) -> SignetError {
    switch error.code {
    case .tufNotFound, .fetchUnavailable: error
    case .ociBounds:
      SignetError(
        .tufTooLong, object, "is longer than stated or allowed", expected: error.expected, found: error.found,
        hint: "use another mirror")
    case .ociNotFound: SignetError(.tufNotFound, object, "is not in the repository", cause: error)
    case .fetchTimeout:
      SignetError(.tufTooSlow, object, "arrives too slowly, or not at all", cause: error, hint: "use another mirror")
    default:
      SignetError(
        .tufUnreachable, object, "cannot be fetched", cause: error,
        hint: error.hint ?? "check the address and the network, or use another mirror")
    }
  }
}
