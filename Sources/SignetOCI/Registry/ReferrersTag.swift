internal import SignetBase
internal import SignetCrypto

/// The list of referrers under a tag, in registries that have no list of their own (OCI distribution-spec, "Referrers Tag
/// Schema").
///
/// Registries let nobody change a list only if it is still the one that was read. So two who add at the same time can
/// lose one entry. Who adds reads the list again, and adds once more if its entry is gone.
struct ReferrersTag {
  private let tag: String
  private let registry: OCIRegistry

  /// How often an entry is added that others' changes have removed.
  private static let tries = 6

  init(of subject: Digest, _ registry: OCIRegistry) {
    tag = ManifestName.referrersTag(of: subject)
    self.registry = registry
  }

  private var object: String { "\(registry.name):\(tag)" }

  /// The entries; none if there is no list.
  ///
  /// - Throws: `oci.document` if the tag stands for something else; what reading a manifest throws.
  func read() throws(SignetError) -> [OCIDescriptor] {
    guard let manifest = try registry.manifest(.tag(tag)) else { return [] }
    guard case .index(let entries) = manifest.content else {
      throw SignetError(
        .ociDocument, object, "is no list of referrers, though its tag stands for one", expected: MediaType.index,
        found: manifest.descriptor.mediaType.display, hint: "ask who has pushed it")
    }
    return entries
  }

  /// Adds an entry.
  ///
  /// - Throws: `oci.referrer-lost`; what reading and pushing a manifest throws.
  func add(_ entry: OCIDescriptor) throws(SignetError) {
    for round in 0..<Self.tries {
      let entries = try read()
      if entries.contains(where: { $0.digest == entry.digest }) { return }
      // Whoever was here at the same time waits another time.
      if round > 0 { registry.connection.settings.wait(Int.random(in: 10...200)) }
      try registry.put(try OCIManifest(index: entries + [entry]), tag: tag)
    }
    if try read().contains(where: { $0.digest == entry.digest }) { return }
    throw SignetError(
      .ociReferrerLost, object, "loses the entry each time, because others change the list at the same time",
      expected: "an entry of \(entry.digest)", hint: "push again when nobody else does")
  }
}
