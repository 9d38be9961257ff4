public import SignetBase
public import SignetCrypto
package import SignetSystem

/// The predicate of `urn:signet:module:v1`, about a module's archive.
///
/// The subject's digest is that of the archive without its signing block.
public struct ModulePredicate: Hashable, Sendable {
  /// The module's identity, and what it may do.
  public let module: ModuleDescription
  /// Everything in the archive.
  public let contents: ModuleContents
  /// The archive, without its signing block.
  public let archive: Archive
  /// The lowest sequence to which a host that knows this release may fall back; nil if that is left to the host.
  public let minimumSequence: Int?
  /// The IDs of the keys that are to sign, so that a removed signature is noticed; nil if they are not named.
  public let signers: [KeyID]?
  /// When the signer says the statement was made. This is information: only a timestamp token proves time.
  public let signedAt: UnixTime
  /// The time after which the statement no longer holds; nil if it holds until it is revoked.
  public let notAfter: UnixTime?

  /// A module's archive without its signing block.
  public struct Archive: Hashable, Sendable {
    /// The format of the archive.
    public let format: ArchiveFormat
    /// The size of the archive in bytes.
    public let size: Int
    /// The fs-verity digest of the archive, which can be checked on all cores.
    public let fsverity: FSVerityDigest

    package init(format: ArchiveFormat, size: Int, fsverity: FSVerityDigest) {
      self.format = format
      self.size = size
      self.fsverity = fsverity
    }
  }

  /// The maximum number of signers: the number of bundles that are read for one artifact.
  package static let signerLimit = SignatureSource.bundleLimit

  package init(
    module: ModuleDescription, contents: ModuleContents, archive: Archive, minimumSequence: Int?, signers: [KeyID]?,
    signedAt: UnixTime, notAfter: UnixTime?
  ) {
    self.module = module
    self.contents = contents
    self.archive = archive
    self.minimumSequence = minimumSequence
    self.signers = signers
    self.signedAt = signedAt
    self.notAfter = notAfter
  }

  var json: JSONValue {
    .object(
      ("module", module.json), ("contents", contents.json), ("archive", archive.json),
      ("minimumSequence", minimumSequence.map { .integer($0) }),
      ("signers", signers.map { .array($0.map { .string("\($0)") }) }), ("signedAt", .string("\(signedAt)")),
      ("notAfter", notAfter.map { .string("\($0)") }))
  }

  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    module = try ModuleDescription(try object.object("module"))
    contents = try ModuleContents(object.required("contents"), object.path(of: "contents"))
    archive = try Archive(try object.object("archive"))
    minimumSequence = object.has("minimumSequence") ? try object.sequence("minimumSequence") : nil
    if let minimumSequence, minimumSequence > module.sequence {
      throw object.wrong("minimumSequence", "at most the module's sequence", "\(minimumSequence)")
    }
    signers = object.has("signers") ? try Self.signers(&object) : nil
    signedAt = try object.time("signedAt")
    notAfter = try object.optionalTime("notAfter")
    try object.finish()
  }

  private static func signers(_ object: inout JSONObject) throws(SignetError) -> [KeyID] {
    let texts = try object.strings("signers", atMost: signerLimit)
    let keys = texts.compactMap { KeyID($0) }
    // The order is fixed and there are no repetitions, so that the same signers always give the same bytes.
    guard !keys.isEmpty, keys.count == texts.count,
      zip(texts, texts.dropFirst()).allSatisfy({ $0.precedesInBytes($1) })
    else {
      throw object.wrong("signers", "key IDs, each once, in the order of their bytes", "\(texts)")
    }
    return keys
  }

  /// The claim about a module in the first bundle of a file.
  ///
  /// The claim is not verified. A caller may use it only to recall what it has verified some time ago.
  ///
  /// - Parameter file: a file with one bundle on each line.
  /// - Throws: `signature.…`, `bundle.…`, `envelope.…`, `statement.…`.
  package static func claimed(in file: RegularFile) throws(SignetError) -> ModulePredicate? {
    guard let first = try BundleFile.bundles(of: file, isList: true).first else { return nil }
    return try Statement(payload: first.bundle().envelope.payload).module
  }
}

extension ModulePredicate.Archive {
  var json: JSONValue {
    .object(
      ("format", .string(format.rawValue)), ("size", .integer(size)), ("fsverity", .string("\(fsverity)")))
  }

  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let name = try object.string("format")
    guard let format = ArchiveFormat(known: name) else {
      throw object.wrong("format", "zip, tar, tar.gz, tar.xz or tar.zst", name)
    }
    self.format = format
    size = try object.count("size")
    fsverity = try object.fsverity("fsverity")
    try object.finish()
  }
}
