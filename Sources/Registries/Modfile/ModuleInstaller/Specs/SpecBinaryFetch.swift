internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
internal import SignetTUF

/// Fetches the module's file that a spec names, with the bundles that lie beside it.
///
/// The spec has the file's digest, so a file that was fetched is kept for ever. Of the bundles it says nothing: what an
/// address has given is kept for that address alone, and is fetched again if it does not verify.
struct SpecBinaryFetch {
  private let binary: ModuleSpec.Binary
  private let offer: SpecOffers.Offer
  private let settings: RegistryAccess.Settings

  /// The most bytes of a module's file: what a ZIP without ZIP64 can hold.
  private static let archiveLimit = Int(UInt32.max)
  /// The most bytes of a bundle beside it.
  private static let bundleLimit = 8 << 20

  init(_ binary: ModuleSpec.Binary, of offer: SpecOffers.Offer, settings: RegistryAccess.Settings) {
    self.binary = binary
    self.offer = offer
    self.settings = settings
  }

  /// A module's file in the cache.
  struct File: Sendable {
    /// The path of the file.
    let path: String
    /// The beginning of the paths of its bundles.
    let bundles: String
    /// Whether the file was in the cache already, with bundles of whatever age.
    let isKept: Bool
  }

  /// The file, which is fetched unless it is there.
  ///
  /// - Throws: `install.offline`; `tuf.…` for what cannot be had; `digest.mismatch`; `output.failed`, `file.…`.
  func file(under policy: TrustPolicy, _ tell: () -> Void) throws(SignetError) -> File {
    let place = try settings.cache.place(of: binary.sha256)
    let bundles = try settings.cache.bundles(of: binary.sha256, at: binary.url)
    var existing = OutputFile.Existing.keep
    do throws(SignetError) {
      if try RegularFile(openingNoFollow: place).sha256() == binary.sha256 {
        return File(path: place, bundles: bundles, isKept: true)
      }
      existing = .replace(unless: [])
    } catch  where error.code == .fileMissing {}
    guard let (source, name) = try source() else { throw settings.offline("\(offer.identifier)") }
    tell()
    // First, so that a file that is there has what belongs to it.
    try fetchBundles(to: bundles, beside: name, from: source, under: policy)
    // What somebody else has fetched meanwhile stays: it is hashed below.
    try fetchFile(name, from: source, to: place, existing)
    let found = try RegularFile(openingNoFollow: place).sha256()
    guard found == binary.sha256 else {
      try OutputFile.remove(place)
      throw SignetError(
        .digestMismatch, binary.url.display, "is not the file that the spec means", expected: "\(binary.sha256)",
        found: "\(found)", hint: "ask the module's publisher what has happened")
    }
    return File(path: place, bundles: bundles, isKept: false)
  }

  /// The same file, with its bundles fetched again.
  ///
  /// - Throws: `install.offline`; `tuf.…`; `output.failed`.
  func withBundlesAnew(_ file: File, under policy: TrustPolicy) throws(SignetError) -> File {
    guard let (source, name) = try source() else { throw settings.offline("\(offer.identifier)") }
    try fetchBundles(to: file.bundles, beside: name, from: source, under: policy)
    return File(path: file.path, bundles: file.bundles, isKept: false)
  }

  /// The folder of the address, and the last name of it; nil if nobody may be asked.
  private func source() throws(SignetError) -> (any RepositorySource, name: String)? {
    // The spec is signed, and still must not lead to places on this machine.
    if let fault = BinaryRule.fault(of: binary.url) {
      throw SignetError(
        .installSpec, offer.name, "has a binary at a place that is not asked: its address \(fault)",
        expected: "an address such as https://example.com/player-1.0.0.zip", hint: "ask the module's publisher")
    }
    guard let files = settings.files else { return nil }
    let slash = binary.url.utf8.lastIndex(of: UInt8(ascii: "/")) ?? binary.url.startIndex
    return (
      try files(String(decoding: binary.url.utf8[...slash], as: UTF8.self)),
      String(decoding: binary.url.utf8[slash...].dropFirst(), as: UTF8.self)
    )
  }

  /// Fetches what the verification of the file reads beside it: one bundle, a list of them, and the verification summary if
  /// the policy demands one.
  private func fetchBundles(
    to place: String, beside name: String, from source: any RepositorySource, under policy: TrustPolicy
  ) throws(SignetError) {
    for suffix in BundleFile.suffixes(withSummary: policy.summary != nil) {
      let path = place + suffix
      let known = try Self.bytes(of: path)
      let bytes: [UInt8]?
      do throws(SignetError) { bytes = try source.bytes(of: name + suffix, atMost: Self.bundleLimit) } catch
        where error.code == .tufNotFound
      { bytes = nil }
      // What stays the same is not replaced: somebody who reads it would see it change.
      guard bytes != known else { continue }
      guard let bytes else {
        try OutputFile.remove(path)
        continue
      }
      do throws(SignetError) {
        try OutputFile.write(bytes, to: path, known == nil ? .keep : .replace(unless: []))
      } catch
        where error.code == .outputExists
      {}
    }
  }

  private static func bytes(of path: String) throws(SignetError) -> [UInt8]? {
    do throws(SignetError) { return try RegularFile(openingNoFollow: path).bytes(limit: bundleLimit) } catch
      where error.code == .fileMissing
    { return nil }
  }

  private func fetchFile(
    _ name: String, from source: any RepositorySource, to place: String, _ existing: OutputFile.Existing
  ) throws(SignetError) {
    let draft = try OutputDraft(to: place, existing)
    var count = 0
    try source.read(name, atMost: Self.archiveLimit) { (piece) throws(SignetError) in
      count += piece.count
      guard count <= Self.archiveLimit else {
        throw SignetError(
          .tufTooLong, binary.url.display, "is longer than a module may be",
          expected: "at most \(Self.archiveLimit) bytes")
      }
      try draft.write(piece)
    }
    // Each reader of the file hashes it again.
    do throws(SignetError) { try draft.publish() } catch  where error.code == .outputExists {}
  }
}
