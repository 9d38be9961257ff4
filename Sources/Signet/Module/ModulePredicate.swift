public import SignetArchive
public import SignetBase
public import SignetCrypto
package import SignetSystem

/// What `urn:signet:module:v1` says about a module's archive. The subject's digest is that of the archive without its
/// signing block.
public struct ModulePredicate: Hashable, Sendable {
  /// Who the module is, and what it may do.
  public let module: ModuleDescription
  /// Everything in the archive.
  public let contents: ModuleContents
  /// The archive itself.
  public let archive: Archive
  /// The least sequence that a host which knows this release may fall back to; nil where that is left to the host.
  public let minimumSequence: Int?
  /// The IDs of the keys that are to sign, so that a signature that was taken away is missed; nil where nobody said.
  public let signers: [KeyID]?
  /// When the signer says the statement was made: it informs, only a timestamp token proves time.
  public let signedAt: UnixTime
  /// After this the statement no longer holds; nil means that it holds until it is revoked.
  public let notAfter: UnixTime?

  /// A module's archive without its signing block.
  public struct Archive: Hashable, Sendable {
    /// Its kind.
    public let format: ArchiveFormat
    /// Its size in bytes.
    public let size: Int
    /// Its fs-verity digest, which can be checked on all cores.
    public let fsverity: FSVerityDigest
  }

  /// Signers at most: bundles that are read for one artifact.
  static let signerLimit = SignatureSource.bundleLimit

  init(
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

  init(_ object: JSONObject) throws(SignetError) {
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
    // In one order, each once: the same signers are always the same bytes.
    guard !keys.isEmpty, keys.count == texts.count,
      zip(texts, texts.dropFirst()).allSatisfy({ $0.precedesInBytes($1) })
    else {
      throw object.wrong("signers", "key IDs, each once, in the order of their bytes", "\(texts)")
    }
    return keys
  }

  /// What the first bundle of a file claims of a module. Nobody has verified it: it counts for nothing but what somebody who did
  /// verify it, some time ago, wants to remember.
  ///
  /// - Parameter file: a bundle a line.
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

  init(_ object: JSONObject) throws(SignetError) {
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

extension ModulePredicate {
  /// Makes sure that the statement is about this archive: its kind, each entry, the files that the description names,
  /// and the description itself.
  ///
  /// - Throws: `module.contents-mismatch`, `module.missing-file`, and what reading the archive's description throws.
  func checkArchive(_ opened: OpenedArchive) throws(SignetError) {
    guard opened.format == archive.format else {
      throw SignetError(
        .moduleContentsMismatch, "archive", "has another format than its statement says",
        expected: "\(archive.format)", found: "\(opened.format)")
    }
    try contents.checkEntries(opened.entries)
    try module.check(against: opened.entries)
    // Whoever unpacks the archive believes the one in it, and a policy the one in the statement.
    guard try described(by: opened) == module else { throw Self.otherDescription(nil) }
  }

  private func described(by opened: OpenedArchive) throws(SignetError) -> ModuleDescription {
    do throws(SignetError) {
      return try opened.uncheckedDescription()
    } catch {
      let isAboutArchive = error.code == .moduleMissingFile || Set.aboutArchives.contains(error.code)
      guard !isAboutArchive, !error.isAboutReading else { throw error }
      throw Self.otherDescription(error)
    }
  }

  private static func otherDescription(_ cause: SignetError?) -> SignetError {
    SignetError(
      .moduleContentsMismatch, ModuleDescription.path, "does not describe the module that the statement describes",
      expected: "the same description", found: "another", cause: cause,
      hint: "ask the publisher for a release whose statement is about its archive")
  }
}

extension SignetError {
  /// Whether the bytes could not be read or hashed: that says nothing about them.
  var isAboutReading: Bool { Self.readingFailures.contains(code) }
  private static let readingFailures = Set.aboutFiles.union([.cryptoFailure, .extractionFailed])
}
