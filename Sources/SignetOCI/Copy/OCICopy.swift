package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A copy of manifests, with everything that they name and everything that is about them, from one place to another.
///
/// All bytes are copied as they are and compared with their digests. A tag appears last, so whoever finds the copy by its
/// tag also finds its signatures.
package struct OCICopy {
  /// What was copied.
  package struct Tally: Sendable {
    /// The number of manifests, with lists and those about others.
    package var manifests = 0
    /// The number of manifests that are about others.
    package var referrers = 0
    /// The number of blobs that were not there already.
    package var blobs = 0
    /// Their bytes.
    package var bytes = 0
  }

  private let source: any OCIStorage
  private let target: any OCIStorage
  /// What is already in the target.
  private var done: Set<Digest> = []
  /// What was copied so far.
  package private(set) var tally = Tally()

  /// The most manifests of one copy.
  private static let manifestLimit = 10_000
  /// How deeply lists contain lists, and manifests are about those that are about others.
  private static let depthLimit = 8

  /// Creates a copy.
  package init(from source: any OCIStorage, to target: any OCIStorage) {
    self.source = source
    self.target = target
    // What lies in the same registry needs no transfer.
    if let from = source as? OCIRegistry, let to = target as? OCIRegistry { to.origin = from.repository }
  }

  /// Copies a manifest.
  ///
  /// - Parameter tag: the tag that points to it afterwards; nil for none.
  /// - Returns: the manifest.
  /// - Throws: `oci.…`; `fetch.…`; `output.failed`.
  package mutating func copy(_ name: ManifestName, tag: String?) throws(SignetError) -> OCIManifest {
    let manifest = try source.existing(name)
    try copy(manifest, depth: 0)
    if let tag { try target.put(manifest, tag: tag) }
    return manifest
  }

  private mutating func copy(_ manifest: OCIManifest, depth: Int) throws(SignetError) {
    guard !done.contains(manifest.digest) else { return }
    guard depth <= Self.depthLimit, done.count < Self.manifestLimit else {
      throw SignetError(
        .ociBounds, "\(source.name)@\(manifest.digest)", "leads to too many manifests",
        expected: "at most \(Self.manifestLimit), \(Self.depthLimit) deep")
    }
    done.insert(manifest.digest)
    if case .index(let parts) = manifest.content {
      for part in parts { try copy(source.existing(.digest(part.digest)), depth: depth + 1) }
    }
    for blob in manifest.blobs { try copy(blob) }
    try target.put(manifest, tag: nil)
    tally.manifests += 1
    if manifest.subject != nil { tally.referrers += 1 }
    for referrer in try source.referrers(of: manifest.digest) {
      let referrer = try source.existing(.digest(referrer.digest))
      // A list may name anything.
      guard referrer.subject?.digest == manifest.digest else { continue }
      try copy(referrer, depth: depth + 1)
    }
  }

  private mutating func copy(_ blob: OCIDescriptor) throws(SignetError) {
    if try target.has(blob) { return }
    try target.put(blob, try source.feed(blob))
    tally.blobs += 1
    tally.bytes += blob.size
  }
}
