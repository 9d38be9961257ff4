public import Signet
public import SignetBase
internal import SignetCrypto
package import SignetTUF

/// A release of a module, as a registry's index describes it.
///
/// The publisher's metadata vouches for it. That decides what is offered: what a host loads is decided by its policy.
public struct ModuleRelease: Sendable {
  /// A file of a release.
  public struct File: Hashable, Sendable {
    /// The name of the file, such as `module.zip`.
    public let name: String
    /// The length in bytes.
    public let length: Int
    /// The digest of the bytes.
    public let sha256: Digest

    /// Creates a description of a file.
    package init(name: String, length: Int, sha256: Digest) {
      self.name = name
      self.length = length
      self.sha256 = sha256
    }
  }

  /// The sources of a release.
  public struct Source: Hashable, Sendable {
    /// The source archive.
    public let archive: File
    /// The provenance of the source archive.
    public let provenance: File
    /// The provenance of the module's archive.
    public let moduleProvenance: File
    /// The full ID of the commit from which both were built, as the publisher says.
    public let commit: String

    /// Creates a description of sources.
    package init(archive: File, provenance: File, moduleProvenance: File, commit: String) {
      self.archive = archive
      self.provenance = provenance
      self.moduleProvenance = moduleProvenance
      self.commit = commit
    }

    /// All files.
    package var files: [File] { [archive, provenance, moduleProvenance] }
  }

  /// The module's description of itself.
  public let module: ModuleDescription
  /// The archive.
  public let archive: File
  /// The files of bundles beside the archive; none if its signature is in it.
  public let bundles: [File]
  /// The file with a statement by the signers of the release before, which lets this one have less; nil for none.
  public let waiver: File?
  /// The sources; nil if the release has none.
  public let source: Source?
  /// Who had signed the module when it was pushed: the IDs of the publisher's keys, and its identities.
  public let signers: [String]
  /// When the publisher signed the module, as its earliest signature says; nil for a release whose index does not say.
  public let signedAt: UnixTime?
  /// When the module was pushed; nil for a release whose index does not say.
  public let pushedAt: UnixTime?
  /// What the release is, for people; nil if its sources have no spec, or none that says anything.
  public let about: ReleaseAbout?
  /// Why the release was withdrawn; nil if it was not.
  public internal(set) var yanked: String?

  /// The module's identifier.
  public var identifier: ModuleIdentifier { module.identifier }
  /// The release's version.
  public var version: SemanticVersion { module.version }
  /// The release's sequence, which orders releases.
  public var sequence: Int { module.sequence }

  /// The path of the archive among the registry's targets.
  public var archivePath: String { RegistryLayout.path(of: archive.name, identifier, version) }

  /// Describes a release that is offered.
  package init(
    _ module: ModuleDescription, archive: File, bundles: [File], waiver: File? = nil, source: Source?,
    signers: [String],
    signedAt: UnixTime? = nil, pushedAt: UnixTime? = nil, about: ReleaseAbout? = nil
  ) {
    self.module = module
    self.archive = archive
    self.bundles = bundles
    self.waiver = waiver
    self.source = source
    self.signers = signers
    self.signedAt = signedAt
    self.pushedAt = pushedAt
    self.about = about
    yanked = nil
  }

  /// All files of the release.
  package var files: [File] { [archive] + bundles + (waiver.map { [$0] } ?? []) + (source?.files ?? []) }

  /// A file of the release as a target.
  package func target(_ file: File) -> TargetFile {
    TargetFile(
      path: RegistryLayout.path(of: file.name, identifier, version), length: file.length,
      hashes: FileHashes([file.sha256]))
  }
}

extension ModuleRelease {
  /// The most files of bundles: one bundle, or several in one file, and both.
  private static let bundleLimit = 2
  /// The most keys by which a module can be signed.
  private static let signerLimit = 64

  /// Reads a release in an index.
  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    module = try ModuleDescription(object.object("module"))
    archive = try File(object.object("archive"))
    bundles =
      try object.has("bundles")
      ? object.objects("bundles", atMost: Self.bundleLimit).map { (file) throws(SignetError) in try File(file) } : []
    waiver = try object.optionalObject("waiver").map { (file) throws(SignetError) in try File(file) }
    source = try object.has("source") ? Source(object.object("source"), of: archive) : nil
    signers = try object.strings("signers", atMost: Self.signerLimit)
    signedAt = try object.optionalTime("signedAt")
    pushedAt = try object.optionalTime("pushedAt")
    about = try object.optionalObject("about").map { (object) throws(SignetError) in try ReleaseAbout(object) }
    yanked = try object.optionalString("yanked")
    guard archive.name.utf8.starts(with: "\(RegistryLayout.archiveName).".utf8),
      (bundles + (waiver.map { [$0] } ?? [])).allSatisfy({ $0.name.utf8.starts(with: "\(archive.name).".utf8) })
    else { throw object.wrong("archive", "a file called \(RegistryLayout.archiveName).FORMAT", archive.name) }
    try object.finish()
  }

  /// The release as an index has it.
  var json: JSONValue {
    .object(
      ("about", about?.json), ("module", module.json), ("archive", archive.json),
      ("bundles", bundles.isEmpty ? nil : .array(bundles.map(\.json))),
      ("waiver", waiver?.json), ("source", source?.json), ("signers", .array(signers.map { .string($0) })),
      ("signedAt", signedAt.map { .string("\($0)") }), ("pushedAt", pushedAt.map { .string("\($0)") }),
      ("yanked", yanked.map { .string($0) }))
  }
}

extension ModuleRelease.Source {
  /// Reads the sources of a release.
  ///
  /// - Parameter module: the module's archive, whose provenance is named after it.
  fileprivate init(_ object: JSONObject, of module: ModuleRelease.File) throws(SignetError) {
    var object = object
    archive = try ModuleRelease.File(object.object("archive"))
    provenance = try ModuleRelease.File(object.object("provenance"))
    moduleProvenance = try ModuleRelease.File(object.object("moduleProvenance"))
    commit = try object.string("commit")
    guard archive.name.utf8.starts(with: "\(RegistryLayout.sourceName).".utf8) else {
      throw object.wrong("archive", "a file called \(RegistryLayout.sourceName).FORMAT", archive.name)
    }
    for (field, file, artifact) in [
      ("provenance", provenance, archive), ("moduleProvenance", moduleProvenance, module),
    ] {
      let name = ProvenancePredicate.place(beside: artifact.name)
      guard file.name.isExactly(name) else { throw object.wrong(field, "a file called \(name)", file.name) }
    }
    guard [20, 32].contains(Hexadecimal.decode(commit)?.count) else {
      throw object.wrong("commit", "40 or 64 lower-case hexadecimal digits", commit)
    }
    try object.finish()
  }

  fileprivate var json: JSONValue {
    .object(
      ("archive", archive.json), ("provenance", provenance.json), ("moduleProvenance", moduleProvenance.json),
      ("commit", .string(commit)))
  }

  /// Values are equal if their commits are the same bytes, and their files are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.files == right.files && left.commit.isExactly(right.commit)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(files)
    hasher.combine(Array(commit.utf8))
  }
}

extension ModuleRelease.File {
  fileprivate init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let name = try object.string("name")
    let isName = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: ".")
    }
    guard isName, (1...64).contains(name.utf8.count) else {
      throw object.wrong("name", "small letters, digits and dots", name)
    }
    let hex = try object.string("sha256")
    guard let sha256 = Digest(.sha256, hex: hex) else {
      throw object.wrong("sha256", "64 hexadecimal digits", hex)
    }
    self.init(name: name, length: try object.sequence("length"), sha256: sha256)
    try object.finish()
  }

  fileprivate var json: JSONValue {
    .object(("name", .string(name)), ("length", .integer(length)), ("sha256", .string(sha256.hex)))
  }
}
