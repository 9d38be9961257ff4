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
  /// How many manifests were read, also those that were not copied.
  private var reads = 0
  /// The referrers that were left out, and why.
  package private(set) var complaints: [SignetError] = []
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
    if let from = (source as? OCIRegistry)?.repository, let to = target as? OCIRegistry,
      from != to.repository, from.host.isExactly(to.repository.host)
    {
      to.mountSource = from
    }
  }

  /// Copies a manifest.
  ///
  /// - Parameter tag: the tag that points to it afterwards; nil for none.
  /// - Returns: the manifest.
  /// - Throws: `oci.…`; `fetch.…`; `output.failed`.
  package mutating func copy(_ name: ManifestName, tag: String?) throws(SignetError) -> OCIManifest {
    let manifest = try read(name)
    try copy(manifest, depth: 0)
    if let tag { try target.put(manifest, tag: tag) }
    return manifest
  }

  /// Reads a manifest of the source, as long as there were not too many.
  private mutating func read(_ name: ManifestName) throws(SignetError) -> OCIManifest {
    reads += 1
    guard reads <= Self.manifestLimit else { throw tooMany(nil) }
    return try source.existing(name)
  }

  private func tooMany(_ digest: Digest?) -> SignetError {
    SignetError(
      .ociBounds, source.name + (digest.map { "@\($0)" } ?? ""), "leads to too many manifests",
      expected: "at most \(Self.manifestLimit), \(Self.depthLimit) deep", found: "more",
      hint: "copy fewer tags at once")
  }

  private mutating func copy(_ manifest: OCIManifest, depth: Int) throws(SignetError) {
    guard done.insert(manifest.digest).inserted else { return }
    guard depth <= Self.depthLimit else { throw tooMany(manifest.digest) }
    guard manifest.unread.isEmpty else {
      throw SignetError(
        .ociUnsupported, "\(source.name)@\(manifest.digest)", "names manifests by digests that Signet does not read",
        expected: "sha256", found: "\(manifest.unread.count) others")
    }
    for part in manifest.parts where !done.contains(part.digest) {
      if MediaType.documents.contains(where: { $0.isExactly(MediaType.plain(part.mediaType)) }) {
        try copy(read(.digest(part.digest)), depth: depth + 1)
      } else {
        // What an unknown type names is not known, so the bytes are all there is.
        try copy(part)
      }
    }
    for blob in manifest.blobs { try copy(blob) }
    try target.put(manifest, tag: nil)
    tally.manifests += 1
    if manifest.subject != nil { tally.referrers += 1 }
    for named in try source.referrers(of: manifest.digest) where !done.contains(named.digest) {
      let referrer: OCIManifest
      do throws(SignetError) {
        guard depth < Self.depthLimit else { throw tooMany(named.digest) }
        referrer = try read(.digest(named.digest))
      } catch  where Set.aboutOCIContent.contains(error.code) || error.code == .ociNotFound {
        // Anybody who may push can add what cannot be read.
        complaints.append(error)
        continue
      }
      // A list may name anything.
      guard referrer.subject?.digest == manifest.digest else { continue }
      try copy(referrer, depth: depth + 1)
    }
  }

  private mutating func copy(_ blob: OCIDescriptor) throws(SignetError) {
    guard try target.put(blob, source.feed(blob)) else { return }
    tally.blobs += 1
    // Sizes are what a registry says.
    let (sum, isTooMuch) = tally.bytes.addingReportingOverflow(blob.size)
    tally.bytes = isTooMuch ? .max : sum
  }
}
