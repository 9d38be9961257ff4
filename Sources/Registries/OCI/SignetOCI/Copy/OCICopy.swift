package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A copy of manifests, with everything that they name and everything that is about them, from one place to another.
///
/// All bytes are copied as they are and compared with their digests. A tag appears last, so a client that finds the copy
/// by its tag also finds its signatures.
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

  /// How much one copy takes.
  package struct Limits: Sendable {
    /// The most manifests, read or named as referrers: an index for all platforms, and signatures of signatures.
    package var manifests = 10_000
    /// How deeply lists contain lists, and manifests are about those that are about others.
    package var depth = 8
    /// The most blobs: ten of each manifest.
    package var blobs = 100_000
    /// The most bytes that a registry gives: four of the largest modules (`pull` takes 16 GiB). What a layout has is on
    /// this machine already.
    package var bytes = 64 << 30

    package init() {}
  }

  /// A blob as a manifest names it. Another manifest may state another size of the same digest.
  private struct NamedBlob: Hashable {
    let digest: Digest
    let size: Int
  }

  private let source: any OCIStorage
  private let target: any OCIStorage
  private let limits: Limits
  /// What is already in the target.
  private var done: Set<Digest> = []
  private var blobs: Set<NamedBlob> = []
  /// How many manifests were read or named as referrers, also those that were not copied.
  private var reads = 0
  /// The referrers that were left out, and why.
  package private(set) var complaints: [SignetError] = []
  /// What was copied so far.
  package private(set) var tally = Tally()

  /// Creates a copy.
  package init(from source: any OCIStorage, to target: any OCIStorage, limits: Limits = Limits()) {
    self.source = source
    self.target = target
    self.limits = limits
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

  /// Reads a manifest of the source.
  private mutating func read(_ name: ManifestName) throws(SignetError) -> OCIManifest {
    try countManifest()
    let manifest = try source.existing(name)
    try checkReceived(and: 0, name: "\(name)")
    return manifest
  }

  private mutating func countManifest() throws(SignetError) {
    reads += 1
    guard reads <= limits.manifests else { throw tooMany(nil) }
  }

  private func tooMany(_ digest: Digest?) -> SignetError {
    SignetError(
      .ociBounds, source.name + (digest.map { "@\($0)" } ?? ""), "leads to too many manifests or blobs",
      expected: "at most \(limits.manifests) manifests, \(limits.depth) deep, and \(limits.blobs) blobs",
      found: "more",
      hint: "copy fewer tags at once")
  }

  /// Checks that a registry has not given too much, and would not with so many bytes more.
  private func checkReceived(and more: Int, name: String) throws(SignetError) {
    guard let received = (source as? OCIRegistry)?.received else { return }
    guard received <= limits.bytes, more <= limits.bytes - received else {
      throw SignetError(
        .ociBounds, "\(source.name)@\(name)", "makes the copy larger than it may be",
        expected: "at most \(limits.bytes) bytes", found: "\(received) so far, and \(more) more",
        hint: "copy fewer tags at once, or allow more with --max-bytes")
    }
  }

  private mutating func copy(_ manifest: OCIManifest, depth: Int) throws(SignetError) {
    guard done.insert(manifest.digest).inserted else { return }
    guard depth <= limits.depth else { throw tooMany(manifest.digest) }
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
    let referrers = try source.referrers(of: manifest.digest)
    try checkReceived(and: 0, name: "\(manifest.digest)")
    for named in referrers where !done.contains(named.digest) {
      try countManifest()
      let referrer: OCIManifest
      do throws(SignetError) {
        guard depth < limits.depth else { throw tooMany(named.digest) }
        referrer = try source.existing(.digest(named.digest))
      } catch  where Set.aboutOCIContent.contains(error.code) || error.code == .ociNotFound {
        // Anybody who may push can add what cannot be read.
        complaints.append(error)
        continue
      }
      try checkReceived(and: 0, name: "\(named.digest)")
      // A list may name anything.
      guard referrer.subject?.digest == manifest.digest else { continue }
      try copy(referrer, depth: depth + 1)
    }
  }

  private mutating func copy(_ blob: OCIDescriptor) throws(SignetError) {
    guard blobs.insert(NamedBlob(digest: blob.digest, size: blob.size)).inserted else { return }
    guard blobs.count <= limits.blobs else { throw tooMany(blob.digest) }
    do throws(SignetError) { try checkReceived(and: blob.size, name: "\(blob.digest)") } catch {
      guard try target.has(blob) else { throw error }
    }
    guard try target.put(blob, source.feed(blob)) else { return }
    tally.blobs += 1
    // Sizes are what a registry says.
    let (sum, isTooMuch) = tally.bytes.addingReportingOverflow(blob.size)
    tally.bytes = isTooMuch ? .max : sum
  }
}
