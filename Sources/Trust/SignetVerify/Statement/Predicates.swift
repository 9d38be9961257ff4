public import SignetBase
public import SignetCrypto

/// The URI that names the meaning of a statement's predicate.
public struct PredicateType: Hashable, Sendable, CustomStringConvertible {
  /// The URI.
  public let uri: String

  /// Creates a type from its URI.
  public init(_ uri: String) { self.uri = uri }

  /// A file's raw bytes.
  public static let file = PredicateType("urn:signet:file:v1")
  /// The listing of a directory.
  public static let directory = PredicateType("urn:signet:directory:v1")
  /// A module's archive.
  public static let module = PredicateType("urn:signet:module:v1")
  /// The raw bytes of a host's manifest.
  public static let hostManifest = PredicateType("urn:signet:host-manifest:v1")

  /// What a signature of bytes alone says. No statement can have this type.
  package static let message = PredicateType("urn:signet:message:v1")

  /// The prefix of Signet's own types, now or later. A type with it is never read as another program's.
  static let ownPrefix = "urn:signet:"

  /// Whether the type is one of Signet's own.
  package var isOwn: Bool { uri.utf8.starts(with: Self.ownPrefix.utf8) }

  /// The URI.
  public var description: String { uri }

  /// Types are equal if the bytes of their URIs are.
  public static func == (left: PredicateType, right: PredicateType) -> Bool { left.uri.isExactly(right.uri) }

  /// Hashes the URI's bytes.
  public func hash(into hasher: inout Hasher) { for byte in uri.utf8 { hasher.combine(byte) } }
}

/// The predicate of `urn:signet:file:v1`, about a file.
public struct FilePredicate: Hashable, Sendable {
  /// The file's size in bytes.
  public let size: Int
  /// The fs-verity digest, which can be checked on all cores.
  public let fsverity: FSVerityDigest
  /// When the signer says the statement was made. This is information: only a timestamp token proves time.
  public let signedAt: UnixTime
  /// The time after which the statement no longer holds; nil if it holds until it is revoked.
  public let notAfter: UnixTime?

  /// Creates a predicate.
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

/// The predicate of `urn:signet:directory:v1`, about a directory.
public struct DirectoryPredicate: Hashable, Sendable {
  /// Everything in the directory.
  public let listing: DirectoryListing
  /// When the signer says the statement was made. This is information: only a timestamp token proves time.
  public let signedAt: UnixTime
  /// The time after which the statement no longer holds; nil if it holds until it is revoked.
  public let notAfter: UnixTime?

  /// Creates a predicate.
  package init(listing: DirectoryListing, signedAt: UnixTime, notAfter: UnixTime?) {
    self.listing = listing
    self.signedAt = signedAt
    self.notAfter = notAfter
  }

  var json: JSONValue {
    .object(
      ("listing", listing.json), ("signedAt", .string("\(signedAt)")),
      ("notAfter", notAfter.map { .string("\($0)") }))
  }

  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    listing = try DirectoryListing(object.required("listing"), object.path(of: "listing"))
    signedAt = try object.time("signedAt")
    notAfter = try object.optionalTime("notAfter")
    try object.finish()
  }

  /// Checks that a statement's subject is this listing.
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

/// The predicate of `urn:signet:host-manifest:v1`, about a host's manifest.
public struct HostManifestPredicate: Hashable, Sendable {
  /// The highest sequence: the largest integer that every JSON reader represents exactly.
  public static let sequenceLimit = 1 << 53 - 1

  /// The host that the manifest is for.
  public let identifier: ModuleIdentifier
  /// The manifest's sequence, which grows with each manifest of the host.
  public let sequence: Int
  /// The manifest's size in bytes. A file of another size is not read.
  public let size: Int
  /// When the signer says the statement was made. This is information: only a timestamp token proves time.
  public let signedAt: UnixTime
  /// The time after which the statement no longer holds; nil if it holds until it is revoked.
  public let notAfter: UnixTime?

  /// Creates a predicate.
  package init(identifier: ModuleIdentifier, sequence: Int, size: Int, signedAt: UnixTime, notAfter: UnixTime?) {
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

  package init(_ object: JSONObject) throws(SignetError) {
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
