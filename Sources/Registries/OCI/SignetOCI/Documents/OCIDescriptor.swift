package import SignetBase
package import SignetCrypto

/// What is known of some bytes before they are read: their type, digest and size (OCI image-spec, "Descriptor").
package struct OCIDescriptor: Sendable {
  /// The type of the bytes.
  package let mediaType: String
  /// The SHA-256 of the bytes.
  package let digest: Digest
  /// The number of bytes.
  package let size: Int
  /// What a manifest carries; nil if the descriptor does not say it.
  package let artifactType: String?
  /// Texts by name. Nothing vouches for them.
  package let annotations: [String: String]
  /// The descriptor as it was read, with the fields that are not known here.
  package let json: JSONValue

  /// Describes bytes.
  package init(
    _ mediaType: String, _ digest: Digest, size: Int, artifactType: String? = nil, annotations: [String: String] = [:]
  ) {
    self.mediaType = mediaType
    self.digest = digest
    self.size = size
    self.artifactType = artifactType
    self.annotations = annotations
    json = .object(
      ("mediaType", .string(mediaType)), ("digest", .string("\(digest)")), ("size", .integer(size)),
      ("artifactType", artifactType.map { .string($0) }), ("annotations", Self.json(annotations)))
  }

  /// Describes bytes that are here.
  ///
  /// - Throws: `crypto.failure`.
  package init(_ mediaType: String, of bytes: [UInt8]) throws(SignetError) {
    self.init(mediaType, try Digest.of(bytes, .sha256), size: bytes.count)
  }

  /// Reads a descriptor. Fields that are not known here are kept.
  ///
  /// - Throws: `json.…`; `oci.unsupported` for a digest that is not a SHA-256.
  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    json = object.value
    mediaType = try object.string("mediaType")
    guard MediaType.isName(mediaType) else { throw object.wrong("mediaType", "a media type", mediaType.display) }
    let text = try object.string("digest")
    guard let digest = ManifestName.digest(text) else {
      throw SignetError(
        .ociUnsupported, object.path(of: "digest"), "is not a digest that Signet reads",
        expected: "sha256 and 64 digits",
        found: text.display)
    }
    self.digest = digest
    size = try object.count("size")
    artifactType = try object.optionalString("artifactType")
    annotations = try object.annotations()
  }

  /// Annotations as a document has them; nil if the list is empty.
  static func json(_ annotations: [String: String]) -> JSONValue? {
    guard !annotations.isEmpty else { return nil }
    let names = annotations.keys.sorted { $0.precedesInBytes($1) }
    return JSONValue(.object(names.map { JSONValue.Member($0, .string(annotations[$0] ?? "")) }))
  }
}

/// Names of annotations (OCI image-spec, "Annotations"; cosign, "BUNDLE_SPEC").
package enum Annotation {
  package static let title = "org.opencontainers.image.title"
  package static let version = "org.opencontainers.image.version"
  package static let created = "org.opencontainers.image.created"
  /// The tag of a manifest in a layout.
  package static let tag = "org.opencontainers.image.ref.name"
  /// What kind of content a bundle has.
  package static let bundleContent = "dev.sigstore.bundle.content"
  /// What a bundle's statement says about its subject.
  package static let bundlePredicateType = "dev.sigstore.bundle.predicateType"
}

extension JSONObject {
  /// Takes annotations, which may be missing: texts by name.
  mutating func annotations() throws(SignetError) -> [String: String] {
    guard let object = try optionalObject("annotations") else { return [:] }
    var annotations: [String: String] = [:]
    // One after the other: a search for each name would take hours for a manifest of nothing but annotations.
    for member in object.all {
      guard case .string(let text) = member.value.content else {
        throw SignetError(
          .jsonWrongValue, "\(object.path).\(member.name.display)", "has an invalid value", expected: "a text",
          found: member.value.kind)
      }
      annotations[member.name] = text
    }
    return annotations
  }
}
