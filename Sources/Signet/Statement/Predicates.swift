public import SignetBase
public import SignetCrypto

/// The URI that names what a statement's predicate means.
public struct PredicateType: Hashable, Sendable, CustomStringConvertible {
  /// The URI.
  public let uri: String

  /// A type by its URI.
  public init(_ uri: String) { self.uri = uri }

  /// A file's raw bytes.
  public static let file = PredicateType("urn:signet:file:v1")
  /// The listing of a directory.
  public static let directory = PredicateType("urn:signet:directory:v1")
  /// A module's archive.
  public static let module = PredicateType("urn:signet:module:v1")
  /// The raw bytes of a host's manifest.
  public static let hostManifest = PredicateType("urn:signet:host-manifest:v1")

  /// Everything below this is ours, now or later: it is never read as somebody else's.
  static let ownPrefix = "urn:signet:"

  /// Whether the type is one of ours.
  var isOwn: Bool { uri.utf8.starts(with: Self.ownPrefix.utf8) }

  /// The URI.
  public var description: String { uri }

  /// Types are the same when their URIs are the same bytes.
  public static func == (left: PredicateType, right: PredicateType) -> Bool { left.uri.isExactly(right.uri) }

  /// Hashes the URI's bytes.
  public func hash(into hasher: inout Hasher) { for byte in uri.utf8 { hasher.combine(byte) } }
}

/// What `urn:signet:file:v1` says about a file.
public struct FilePredicate: Hashable, Sendable {
  /// The file's size in bytes.
  public let size: Int
  /// The fs-verity digest, which can be checked on all cores.
  public let fsverity: FSVerityDigest
  /// When the signer says the statement was made: it informs, only a timestamp token proves time.
  public let signedAt: UnixTime
  /// After this the statement no longer holds; nil means that it holds until it is revoked.
  public let notAfter: UnixTime?

  /// Says something about a file.
  public init(size: Int, fsverity: FSVerityDigest, signedAt: UnixTime, notAfter: UnixTime? = nil) {
    self.size = size
    self.fsverity = fsverity
    self.signedAt = signedAt
    self.notAfter = notAfter
  }

  var json: JSONValue {
    .object(
      ("size", .integer(size)), ("fsverity", .string("\(fsverity)")), ("signedAt", .string("\(signedAt)")),
      ("notAfter", notAfter.map { .string("\($0)") }))
  }

  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    size = try object.count("size")
    fsverity = try object.fsverity("fsverity")
    signedAt = try object.time("signedAt")
    notAfter = try object.optionalTime("notAfter")
    try object.finish()
  }
}

/// What `urn:signet:directory:v1` says about a directory.
public struct DirectoryPredicate: Hashable, Sendable {
  /// Everything in it.
  public let listing: DirectoryListing
  /// When the signer says the statement was made: it informs, only a timestamp token proves time.
  public let signedAt: UnixTime
  /// After this the statement no longer holds; nil means that it holds until it is revoked.
  public let notAfter: UnixTime?

  /// Says something about a directory.
  init(listing: DirectoryListing, signedAt: UnixTime, notAfter: UnixTime?) {
    self.listing = listing
    self.signedAt = signedAt
    self.notAfter = notAfter
  }

  var json: JSONValue {
    .object(
      ("listing", listing.json), ("signedAt", .string("\(signedAt)")),
      ("notAfter", notAfter.map { .string("\($0)") }))
  }

  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    listing = try DirectoryListing(object.required("listing"), object.path(of: "listing"))
    signedAt = try object.time("signedAt")
    notAfter = try object.optionalTime("notAfter")
    try object.finish()
  }

  /// Makes sure that the subject of a statement is this listing.
  ///
  /// - Throws: `directory.listing-digest`.
  func check(subject digest: Digest) throws(SignetError) {
    guard digest == listing.digest else {
      throw SignetError(
        .directoryListingDigest, "statement.subject", "is not the digest of the listing",
        expected: listing.digest.hex,
        found: digest.hex)
    }
  }
}

/// What `urn:signet:host-manifest:v1` says about a host's manifest.
public struct HostManifestPredicate: Hashable, Sendable {
  /// The greatest sequence: what every JSON reader holds exactly.
  public static let sequenceLimit = 1 << 53 - 1

  /// The host the manifest is for.
  public let identifier: ModuleIdentifier
  /// Which of the host's manifests it is: grows with each.
  public let sequence: Int
  /// How many bytes the manifest has: one of another size is not read.
  public let size: Int
  /// When the signer says the statement was made: it informs, only a timestamp token proves time.
  public let signedAt: UnixTime
  /// After this the statement no longer holds; nil means that it holds until it is revoked.
  public let notAfter: UnixTime?

  /// Says something about a manifest.
  init(identifier: ModuleIdentifier, sequence: Int, size: Int, signedAt: UnixTime, notAfter: UnixTime?) {
    precondition((1...Self.sequenceLimit).contains(sequence))
    self.identifier = identifier
    self.sequence = sequence
    self.size = size
    self.signedAt = signedAt
    self.notAfter = notAfter
  }

  var json: JSONValue {
    .object(
      ("identifier", .string("\(identifier)")), ("sequence", .integer(sequence)), ("size", .integer(size)),
      ("signedAt", .string("\(signedAt)")), ("notAfter", notAfter.map { .string("\($0)") }))
  }

  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let name = try object.string("identifier")
    guard let identifier = ModuleIdentifier(name) else {
      throw object.wrong("identifier", "reverse DNS such as com.example.player", name)
    }
    self.identifier = identifier
    sequence = try object.count("sequence")
    guard sequence >= 1 else { throw object.wrong("sequence", "1 or more", "\(sequence)") }
    size = try object.count("size")
    signedAt = try object.time("signedAt")
    notAfter = try object.optionalTime("notAfter")
    try object.finish()
  }
}
