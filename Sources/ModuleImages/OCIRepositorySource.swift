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

  /// Gives the storage anew: a connection is used by one thread at a time.
  private let open: @Sendable () throws(SignetError) -> any OCIStorage
  private let state = Monitor(State())

  /// What is known of the place.
  private struct State {
    /// The connection.
    var storage: (any OCIStorage)?
    /// The files of the metadata by their names, as they were when they were last asked for.
    var files: [String: OCIDescriptor] = [:]
    /// Whether the next root or timestamp is of the same state as those that were read before.
    var isFresh = false
  }

  /// Names a place, and asks nobody yet.
  ///
  /// - Parameter place: `oci://HOST/NAME` or `oci-layout:DIRECTORY`. A registry is asked over https, without
  ///   credentials.
  /// - Throws: `oci.reference`.
  public convenience init(_ place: String) throws(SignetError) { try self.init(place, RegistrySettings()) }

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
      try state.withLock { (state) throws(SignetError) in
        let storage = if let known = state.storage { known } else { try open() }
        state.storage = storage
        // The caller compares the length and the hashes.
        try storage.read(try Self.digest(of: path, storage, &state), atMost: limit) { (piece) throws(SignetError) in
          do throws(SignetError) { try receive(piece) } catch {
            refusal = error
            throw error
          }
        }
      }
    } catch {
      throw refusal ?? Self.fault("\(name)/\(path)", error)
    }
  }

  /// The digest of a file.
  private static func digest(
    of path: String, _ storage: any OCIStorage, _ state: inout State
  ) throws(SignetError) -> Digest {
    // No file of the metadata begins with 64 hexadecimal digits: versions are shorter.
    if let digest = RepositoryImage.digest(ofTarget: path) { return digest }
    let isTimestamp = path.isExactly("timestamp.json")
    let isRoot = path.utf8.suffix(10).elementsEqual(".root.json".utf8)
    // A refresh asks for roots, then for the timestamp, then for what that names: all of them are of one state.
    if (isRoot || isTimestamp) && !state.isFresh {
      state.files = try files(storage)
      state.isFresh = true
    }
    if isTimestamp { state.isFresh = false }
    guard let file = state.files[path] else {
      throw SignetError(.tufNotFound, "\(storage.name)/\(path.display)", "is not in the repository")
    }
    return file.digest
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
        hint: "check the address and the network, or use another mirror")
    }
  }
}
