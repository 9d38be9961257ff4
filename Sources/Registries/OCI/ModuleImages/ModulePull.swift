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

  /// The most manifests about a module that are looked at, and the most bytes of bundles: two of the largest, or
  /// thousands of usual ones.
  private static let (referrerLimit, bundleBytes) = (64, 24 << 20)

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
    guard layer.size <= ArchiveLimits().totalSize else {
      throw SignetError(
        .ociBounds, object, "carries an archive that is larger than a module may be",
        expected: "at most \(ArchiveLimits().totalSize) bytes", found: "\(layer.size) bytes")
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
  ///   - complain: is told of referrers that bring nothing.
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
    for text in try bundles(about: digests, verifier.policy, complain) where texts.insert(text).inserted {
      found.append(text)
    }
    let most = max(0, SignatureSource.bundleLimit - attached.count)
    if found.count > most {
      complain(
        SignetError(
          .bundleCount, object, "has more bundles than are verified",
          expected: "at most \(SignatureSource.bundleLimit)",
          found: "\(found.count + attached.count)"))
      found = Array(found.prefix(most))
    }
    let verdict = try verifier.verify(
      artifact, signatures: found.isEmpty ? .absent : .bytes(found),
      expecting: .module(identifier, named: object), progress: progress)
    return (verdict, found)
  }

  /// The name of the manifest, for messages.
  private var object: String { "\(storage.name)@\(manifest.digest)" }

  /// The bundles whose statements are about the archive, as the policy needs them: first those that its keys have signed.
  ///
  /// Anybody who may push can add referrers. What is no bundle, or is forged, must not keep the module from its users.
  private func bundles(
    about digests: Set<Digest>, _ policy: TrustPolicy, _ complain: (SignetError) -> Void
  ) throws(SignetError) -> [[UInt8]] {
    var (signed, others): ([[UInt8]], [[UInt8]]) = ([], [])
    var left = Self.bundleBytes
    for referrer in try referrers(complain) {
      do throws(SignetError) {
        guard let bundle = try bundle(referrer, about: digests, &left) else { continue }
        switch try policy.standing(of: bundle) {
        case .signed: signed.append(try bundle.canonicalBytes())
        case .other: others.append(try bundle.canonicalBytes())
        case .forged:
          complain(
            SignetError(
              .signatureInvalid, "\(storage.name)@\(referrer.digest)",
              "claims to be a signature of the module by a key that has not made it, and is left out"))
        }
      } catch
        where Set.aboutOCIContent.contains(error.code) || [.ociNotFound, .signatureMalformed].contains(error.code)
      {
        complain(error)
      }
    }
    return signed + others
  }

  /// The manifests that may bring bundles, those first that say that they are about a module.
  private func referrers(_ complain: (SignetError) -> Void) throws(SignetError) -> [OCIDescriptor] {
    let all: [OCIDescriptor]
    do throws(SignetError) { all = try storage.referrers(of: manifest.digest) } catch
      where Set.aboutOCIContent.contains(error.code)
    {
      // An archive may have its signature in it.
      complain(error)
      return []
    }
    func rank(_ referrer: OCIDescriptor) -> Int {
      let type = referrer.annotations[Annotation.bundlePredicateType]
      return type.map { $0.isExactly(PredicateType.module.uri) ? 0 : 2 } ?? 1
    }
    // Sorted, so that every client looks at the same ones.
    let named = all.filter { $0.artifactType.map { $0.isExactly(MediaType.bundle) } ?? true }
      .sorted { (rank($0), $0.digest.hex) < (rank($1), $1.digest.hex) }
    if named.count > Self.referrerLimit {
      complain(
        SignetError(
          .ociBounds, object, "has more bundles than are looked at", expected: "at most \(Self.referrerLimit)",
          found: "\(named.count)"))
    }
    return Array(named.prefix(Self.referrerLimit))
  }

  /// A bundle that is about the archive; nil if it is about something else.
  ///
  /// - Parameter left: how many bytes of bundles may still be read.
  private func bundle(
    _ referrer: OCIDescriptor, about digests: Set<Digest>, _ left: inout Int
  ) throws(SignetError) -> SigstoreBundle? {
    let found = try storage.existing(.digest(referrer.digest))
    guard found.subject?.digest == manifest.digest, case .image(_, let layers) = found.content, layers.count == 1,
      layers[0].mediaType.isExactly(MediaType.bundle)
    else {
      throw SignetError(
        .ociDocument, "\(storage.name)@\(referrer.digest)", "is listed as a bundle of the module, but is no bundle",
        expected: "a manifest about it with one bundle")
    }
    let text = try storage.bytes(of: layers[0], limit: min(left, JSONLimits.bundle.size))
    left -= text.count
    do throws(SignetError) {
      let bundle = try SigstoreBundle(json: text)
      let statement = try Statement(payload: bundle.envelope.payload)
      let isWanted = statement.module != nil || statement.predicateType == SummaryPredicate.type
      return isWanted && statement.subjects.contains { digests.contains($0.digest) } ? bundle : nil
    } catch {
      // Whatever is wrong with it, it is the bundle's fault.
      throw SignetError(
        .signatureMalformed, "\(storage.name)@\(referrer.digest)", "is no bundle that can be read, and is left out",
        cause: error)
    }
  }
}
