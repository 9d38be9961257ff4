public import SignetBase
internal import SignetCrypto

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
        .directoryListingDigest, "statement.subject", "is not the listing beside it", expected: listing.digest.hex,
        found: digest.hex)
    }
  }
}
