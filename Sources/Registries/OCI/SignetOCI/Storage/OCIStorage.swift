package import SignetBase
package import SignetCrypto
package import SignetSystem

/// The bytes of a blob on their way from one place to another.
package enum BlobFeed {
  /// An open file, which can be read again from any offset. Nobody has checked it.
  case file(any ByteSource)
  /// Bytes that come once. Their end throws if they were not what was asked for.
  case stream((([UInt8]) throws(SignetError) -> Void) throws(SignetError) -> Void)
}

/// A place that holds manifests and blobs by their digests: a repository in a registry, or an image layout.
///
/// Nothing that it says is believed: bytes are compared with the digest and the size by which they are asked for.
package protocol OCIStorage: AnyObject {
  /// The name of the place, for messages.
  var name: String { get }

  /// Gives a manifest; nil if no manifest has that name.
  ///
  /// - Throws: `oci.digest`, `oci.document`, `oci.unsupported`; how the place cannot be reached.
  func manifest(_ name: ManifestName) throws(SignetError) -> OCIManifest?

  /// Whether a blob is there.
  func has(_ blob: OCIDescriptor) throws(SignetError) -> Bool

  /// Gives the bytes of a blob.
  ///
  /// - Throws: `oci.not-found`; how the place cannot be reached.
  func feed(_ blob: OCIDescriptor) throws(SignetError) -> BlobFeed

  /// Gives the bytes of a blob of which only the digest is known. The caller compares them with it.
  ///
  /// - Parameter limit: the maximum number of bytes. There is an error if there are more.
  /// - Throws: `oci.not-found`, `oci.bounds`; how the place cannot be reached; what `take` throws.
  func read(
    _ digest: Digest, atMost limit: Int, _ take: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError)

  /// Puts a blob there, unless it is there already.
  ///
  /// - Returns: whether it was not there.
  /// - Throws: `oci.digest` if the bytes are not what the descriptor says; `oci.upload`, `oci.denied`, `oci.refused`;
  ///   how the place cannot be reached or written; what the feed throws.
  @discardableResult
  func put(_ blob: OCIDescriptor, _ feed: BlobFeed) throws(SignetError) -> Bool

  /// Puts a manifest there whose parts are there already, and lets a tag point to it.
  ///
  /// A manifest with a subject is found by ``referrers(of:)`` afterwards.
  ///
  /// - Throws: `oci.refused`, `oci.referrer-lost`; how the place cannot be reached or written.
  func put(_ manifest: OCIManifest, tag: String?) throws(SignetError)

  /// The manifests that are about another one.
  ///
  /// - Throws: `oci.document`, `oci.bounds`; how the place cannot be reached.
  func referrers(of subject: Digest) throws(SignetError) -> [OCIDescriptor]

  /// All tags, in the order of their bytes, but for those of lists of referrers.
  ///
  /// - Throws: `oci.document`, `oci.bounds`; how the place cannot be reached.
  func tags() throws(SignetError) -> [String]
}

extension OCIStorage {
  /// A manifest that must be there.
  ///
  /// - Throws: `oci.not-found`, and what ``manifest(_:)`` throws.
  package func existing(_ name: ManifestName) throws(SignetError) -> OCIManifest {
    if let manifest = try manifest(name) { return manifest }
    throw SignetError(
      .ociNotFound, "\(self.name):\(name)", "is not there", hint: "check the name and the tag")
  }

  /// Gives the checked bytes of a blob piece by piece. They count only when this has returned.
  ///
  /// - Throws: `oci.digest`, `oci.not-found`; how the place cannot be reached; what `take` throws.
  package func read(
    _ blob: OCIDescriptor, _ take: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    try BlobCheck.run(blob, try feed(blob), from: "\(name)@\(blob.digest)", take)
  }

  /// The checked bytes of a small blob.
  ///
  /// - Throws: `oci.bounds` if it is larger than `limit`; what ``read(_:_:)`` throws.
  package func bytes(of blob: OCIDescriptor, limit: Int) throws(SignetError) -> [UInt8] {
    guard blob.size <= limit else {
      throw SignetError(
        .ociBounds, "\(name)@\(blob.digest)", "is larger than it may be", expected: "at most \(limit) bytes",
        found: "\(blob.size) bytes")
    }
    var bytes: [UInt8] = []
    try read(blob) { (piece) throws(SignetError) in bytes += piece }
    return bytes
  }
}

/// A SHA-256 of bytes that come in pieces. A class, because closures cannot end a value that cannot be copied.
final class RunningDigest {
  private var digest: IncrementalDigest?
  private var whole: Digest?

  init() throws(SignetError) { digest = try IncrementalDigest(.sha256) }

  func add(_ bytes: [UInt8]) throws(SignetError) { try digest?.update(bytes) }

  /// The digest of all bytes. Nothing can be added afterwards.
  func finish() throws(SignetError) -> Digest {
    if let whole { return whole }
    guard let ended = digest.take() else { throw SignetError(.cryptoFailure, "digest", "has ended already") }
    let value = try ended.finish()
    whole = value
    return value
  }
}

/// The comparison of bytes with what a descriptor says of them.
package enum BlobCheck {
  private static let pieceSize = 1 << 20

  /// Gives the bytes of a feed on, and compares them at the end.
  ///
  /// - Throws: `oci.digest`; what the feed and `take` throw.
  package static func run(
    _ blob: OCIDescriptor, _ feed: BlobFeed, from object: String, _ take: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    let digest = try RunningDigest()
    var count = 0
    func add(_ piece: [UInt8]) throws(SignetError) {
      count += piece.count
      guard count <= blob.size else { throw wrongSize(blob, "more", object) }
      try digest.add(piece)
      try take(piece)
    }
    switch feed {
    case .file(let file):
      guard file.size == blob.size else { throw wrongSize(blob, "\(file.size) bytes", object) }
      for offset in stride(from: 0, to: file.size, by: pieceSize) {
        try add(try file.bytes(in: offset..<min(file.size, offset + pieceSize)))
      }
    case .stream(let run): try run(add)
    }
    guard count == blob.size else { throw wrongSize(blob, "\(count) bytes", object) }
    try check(digest.finish(), blob, object)
  }

  static func check(_ digest: Digest, _ blob: OCIDescriptor, _ object: String) throws(SignetError) {
    guard digest != blob.digest else { return }
    throw SignetError(
      .ociDigest, object, "does not have the digest by which it was asked for", expected: "\(blob.digest)",
      found: "\(digest)", hint: "ask the registry's administrator, or use another copy")
  }

  static func wrongSize(_ blob: OCIDescriptor, _ found: String, _ object: String) -> SignetError {
    SignetError(
      .ociDigest, object, "does not have the size that was announced", expected: "\(blob.size) bytes", found: found,
      hint: "ask the registry's administrator, or use another copy")
  }
}
