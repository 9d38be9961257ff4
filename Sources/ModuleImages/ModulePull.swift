package import Signet
internal import SignetArchive
package import SignetBase
internal import SignetCrypto
package import SignetOCI
package import SignetSystem

/// A module that comes from a registry or a layout.
///
/// The place decides nothing: a tag may have moved, bundles may be missing, and strangers may have added some. What counts
/// is that the bytes verify under the policy, with the bundles in the archive and those that are about it.
package struct ModulePull {
  /// The manifest that the module came by.
  package let manifest: OCIManifest
  private let storage: any OCIStorage
  private let layer: OCIDescriptor

  /// The most manifests about a module that are looked at.
  private static let referrerLimit = 64

  /// Finds a module. After this, only digests are used.
  ///
  /// - Throws: `oci.not-found`, `oci.not-module`; what reading a manifest throws.
  package init(_ name: ManifestName, in storage: any OCIStorage) throws(SignetError) {
    manifest = try storage.existing(name)
    self.storage = storage
    let object = "\(storage.name)@\(manifest.digest)"
    // Other programs push archives without saying that they are modules.
    guard case .image(_, let layers) = manifest.content, layers.count == 1, let layer = layers.first else {
      let found = if case .image(_, let layers) = manifest.content { "\(layers.count) layers" } else { "a list" }
      throw SignetError(
        .ociNotModule, object, "does not carry a module", expected: "a manifest with one layer", found: found,
        hint: "check the name and the tag")
    }
    self.layer = layer
  }

  /// The size of the archive in bytes, as the manifest says.
  package var size: Int { layer.size }

  /// Gives the bytes of the archive. They count only when this has returned.
  ///
  /// - Throws: `oci.digest`, `oci.not-found`; how the place cannot be reached; what `take` throws.
  package func read(_ take: ([UInt8]) throws(SignetError) -> Void) throws(SignetError) {
    try storage.read(layer, take)
  }

  /// Verifies the archive with the bundles that are about it.
  ///
  /// - Parameters:
  ///   - archive: the bytes that ``read(_:)`` gave.
  ///   - identifier: the module that it must be; nil for any module that its signers are trusted for.
  ///   - complain: is told of manifests about the module that bring nothing.
  /// - Returns: the verdict, and the texts of the bundles that are not in the archive.
  /// - Throws: what ``Verifier/verify(_:signatures:expecting:progress:)`` throws; how the place cannot be reached.
  package func verify(
    _ archive: any ByteSource, by verifier: Verifier, as identifier: ModuleIdentifier?,
    progress: ProgressCounter? = nil, _ complain: (SignetError) -> Void
  ) throws(SignetError) -> (verdict: Verdict<VerifiedModule>, bundles: [[UInt8]]) {
    let artifact = Artifact.source(archive)
    // What cannot be read as an archive here is refused below.
    let attached = (try? AttachedArchive.bundles(in: artifact)) ?? []
    var texts: Set<[UInt8]> = []
    var digests: Set<Digest> = [layer.digest]
    for bundle in attached {
      texts.insert(try bundle.canonicalBytes())
      if let statement = try? Statement(payload: bundle.envelope.payload) { digests.insert(statement.subjectDigest) }
    }
    var found: [[UInt8]] = []
    for text in try bundles(about: digests, complain) where texts.insert(text).inserted { found.append(text) }
    let verdict = try verifier.verify(
      artifact, signatures: found.isEmpty ? .absent : .bytes(found),
      expecting: .module(identifier, named: "\(storage.name)@\(manifest.digest)"), progress: progress)
    return (verdict, found)
  }

  /// The bundles whose statements are about the archive, as the policy needs them, in an order that nobody chooses.
  private func bundles(
    about digests: Set<Digest>, _ complain: (SignetError) -> Void
  ) throws(SignetError) -> [[UInt8]] {
    let referrers = try storage.referrers(of: manifest.digest).filter {
      $0.artifactType.map { $0.isExactly(MediaType.bundle) } ?? true
    }
    let named = referrers.sorted { $0.digest.hex.precedesInBytes($1.digest.hex) }
    if named.count > Self.referrerLimit {
      complain(
        SignetError(
          .ociBounds, "\(storage.name)@\(manifest.digest)", "has more bundles than are looked at",
          expected: "at most \(Self.referrerLimit)", found: "\(named.count)"))
    }
    var texts: [[UInt8]] = []
    for referrer in named.prefix(Self.referrerLimit) {
      do throws(SignetError) {
        guard let text = try bundle(referrer, about: digests) else { continue }
        texts.append(text)
      } catch  where error.isAboutBundle {
        // Anybody who may push can add what is no bundle. It must not keep the module from its users.
        complain(error)
      }
    }
    return texts
  }

  /// The canonical text of a bundle; nil if it is about something else.
  private func bundle(_ referrer: OCIDescriptor, about digests: Set<Digest>) throws(SignetError) -> [UInt8]? {
    let found = try storage.existing(.digest(referrer.digest))
    guard found.subject?.digest == manifest.digest, case .image(_, let layers) = found.content, layers.count == 1,
      layers[0].mediaType.isExactly(MediaType.bundle)
    else { return nil }
    let text = try storage.bytes(of: layers[0], limit: JSONLimits.bundle.size)
    let bundle = try SigstoreBundle(json: text)
    let statement = try Statement(payload: bundle.envelope.payload)
    let isWanted = statement.module != nil || statement.predicateType == SummaryPredicate.type
    guard isWanted, statement.subjects.contains(where: { digests.contains($0.digest) }) else { return nil }
    return try bundle.canonicalBytes()
  }
}

extension SignetError {
  /// Whether a bundle itself is at fault, and not the way to it.
  fileprivate var isAboutBundle: Bool {
    Set.aboutOCIContent.contains(code) || code == .ociNotFound
      || ["signature.", "bundle.", "envelope.", "statement.", "json.", "base64."].contains {
        code.rawValue.utf8.starts(with: $0.utf8)
      }
  }
}
