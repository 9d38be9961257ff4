internal import SignetBase
internal import SignetCrypto

/// The list of referrers under a tag, in registries that have no list of their own (OCI distribution-spec, "Referrers Tag
/// Schema").
///
/// Registries offer no conditional update: Debian's ignores If-Match. If two clients add at the same time, one entry can be
/// lost. So a client reads the list again after each write, and puts back what it has seen.
struct ReferrersTag {
  private let subject: Digest
  private let tag: String
  private let registry: any OCIStorage
  private let wait: (_ milliseconds: Int) -> Void

  /// How often an entry is added that others' changes have removed.
  private static let tries = 6

  /// - Parameter wait: waits before the next try.
  init(of subject: Digest, in registry: any OCIStorage, wait: @escaping (_ milliseconds: Int) -> Void) {
    self.subject = subject
    tag = ManifestName.referrersTag(of: subject)
    self.registry = registry
    self.wait = wait
  }

  private var object: String { "\(registry.name):\(tag)" }

  /// What the tag stands for.
  private enum Found {
    case nothing
    /// The manifest itself: some registries take the tag sha256-HEX for the digest sha256:HEX. That is no list, even if it
    /// is an index.
    case subject
    case list(OCIManifest)
  }

  /// The entries that can be read; none if there is no list.
  ///
  /// - Throws: `oci.document` if the tag stands for something else; what reading a manifest throws.
  func read() throws(SignetError) -> [OCIDescriptor] {
    guard case .list(let index) = try find() else { return [] }
    return index.parts
  }

  private func find() throws(SignetError) -> Found {
    guard let manifest = try registry.manifest(.tag(tag)) else { return .nothing }
    guard manifest.digest != subject else { return .subject }
    guard case .index = manifest.content else {
      throw SignetError(
        .ociDocument, object, "is no list of referrers, though its tag stands for one", expected: MediaType.index,
        found: manifest.descriptor.mediaType.display, hint: "ask who has pushed it")
    }
    return .list(manifest)
  }

  /// Adds an entry.
  ///
  /// - Throws: `oci.referrer-lost`; what reading and pushing a manifest throws.
  func add(_ entry: OCIDescriptor) throws(SignetError) {
    // What others have added, and may have lost meanwhile.
    var seen: [OCIDescriptor] = []
    for round in 0..<Self.tries {
      // The wait is random, so that two clients that write at the same moment do not meet again.
      if round > 0 { wait(Int.random(in: 10...200)) }
      var index: OCIManifest?
      switch try find() {
      case .nothing: break
      case .list(let list): index = list
      // It may give a list once there is one.
      case .subject: if round > 0 { throw isNoTag }
      }
      let entries = index?.parts ?? []
      if entries.contains(where: { $0.digest == entry.digest }) { return }
      for other in entries where !seen.contains(where: { $0.digest == other.digest }) { seen.append(other) }
      try registry.put(
        try OCIManifest(
          index: seen + [entry], unread: index?.unread ?? [], annotations: index?.annotations ?? [:]), tag: tag)
    }
    if try read().contains(where: { $0.digest == entry.digest }) { return }
    throw SignetError(
      .ociReferrerLost, object, "loses the entry each time, because others change the list at the same time",
      expected: "an entry of \(entry.digest)", hint: "push again when nobody else does")
  }

  private var isNoTag: SignetError {
    SignetError(
      .ociReferrerLost, object, "cannot hold a list of referrers: the registry takes the tag for the digest",
      expected: "a list of referrers", found: "the manifest \(subject) itself",
      hint: "use a registry that lists referrers, or push an archive with its signature inside")
  }
}
