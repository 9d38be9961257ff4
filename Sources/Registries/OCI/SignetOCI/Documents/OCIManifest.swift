package import SignetBase
package import SignetCrypto

/// A manifest, or a list of manifests: the bytes that a digest names, and what they say (OCI image-spec, "Image
/// Manifest" and "Image Index").
///
/// The bytes are kept as they are, so a copy has the same digest.
package struct OCIManifest: Sendable {
  /// The parts that a manifest names.
  package enum Content: Sendable {
    /// A configuration and layers, which are blobs.
    case image(config: OCIDescriptor, layers: [OCIDescriptor])
    /// Other manifests.
    case index([OCIDescriptor])
  }

  /// The bytes.
  package let bytes: [UInt8]
  /// The type, digest and size of the bytes, and what they carry.
  package let descriptor: OCIDescriptor
  /// The parts.
  package let content: Content
  /// The entries of an index that cannot be read, as they are: another program's digests, for example.
  package let unread: [JSONValue]
  /// The manifest that this one is about; nil if it has no subject.
  package let subject: OCIDescriptor?
  /// Texts by name. Nothing vouches for them.
  package let annotations: [String: String]

  /// Registries take manifests of this size at least (OCI distribution-spec, "Pushing Manifests"), and Debian's no
  /// larger ones.
  package static let sizeLimit = 4 << 20
  /// The shortest descriptor has 4 values and 60 bytes; 4 MiB of them have 280,000 values.
  package static let limits = JSONLimits(size: sizeLimit, depth: 16, values: 400_000)

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - type: the type by which a registry or a descriptor offers them.
  ///   - object: where they come from, for messages.
  /// - Throws: `oci.unsupported`, `oci.document`; `crypto.failure`.
  package init(_ bytes: [UInt8], type: String, from object: String) throws(SignetError) {
    guard MediaType.documents.contains(where: { $0.isExactly(type) }) else {
      throw SignetError(
        .ociUnsupported, object, "is of a type that Signet does not read",
        expected: MediaType.documents.joined(separator: ", "),
        found: type.display)
    }
    do throws(SignetError) {
      try self.init(
        JSONObject(JSONReader.read(bytes, limits: Self.limits).withoutNulls, "manifest", unknownField: .ociDocument),
        bytes, type)
    } catch  where Set.aboutJSON.contains(error.code) {
      throw SignetError(
        .ociDocument, object, "is not a valid manifest", cause: error,
        hint: "push it again, or ask the registry's administrator")
    }
  }

  private init(_ object: JSONObject, _ bytes: [UInt8], _ type: String) throws(SignetError) {
    var object = object
    let version = try object.count("schemaVersion")
    guard version == 2 else { throw object.wrong("schemaVersion", "2", "\(version)") }
    if let own = try object.optionalString("mediaType"), !own.isExactly(type) {
      throw object.wrong("mediaType", type, own.display)
    }
    let isIndex = MediaType.isIndex(type)
    // Otherwise two programs could see different things in the same bytes.
    for name in isIndex ? ["config", "layers"] : ["manifests"] where object.has(name) {
      throw object.wrong(name, "not there", "it is")
    }
    let artifactType = try object.optionalString("artifactType")
    if isIndex {
      (content, unread) = try object.entries()
    } else {
      unread = []
      content = .image(config: try OCIDescriptor(object.object("config")), layers: try object.descriptors("layers"))
    }
    subject = try object.optionalObject("subject").map { (subject) throws(SignetError) in try OCIDescriptor(subject) }
    annotations = try object.annotations()
    self.bytes = bytes
    // Writers who know no artifactType say it by the configuration.
    var carried = artifactType
    if carried == nil, case .image(let config, _) = content { carried = config.mediaType }
    descriptor = OCIDescriptor(
      type, try Digest.of(bytes, .sha256), size: bytes.count, artifactType: carried, annotations: annotations)
  }

  /// Makes the manifest of something that needs no configuration: the same input gives the same bytes.
  ///
  /// - Parameters:
  ///   - artifactType: what it carries.
  ///   - layers: its parts.
  ///   - subject: what it is about; nil for no subject.
  /// - Throws: `oci.bounds` if it would be larger than registries take; `json.…`, `crypto.failure`.
  package init(
    _ artifactType: String, layers: [OCIDescriptor], subject: OCIDescriptor? = nil,
    annotations: [String: String] = [:]
  ) throws(SignetError) {
    let empty = try Self.emptyConfig().descriptor
    let subject = subject.map { OCIDescriptor($0.mediaType, $0.digest, size: $0.size).json }
    let bytes = try CanonicalJSON.write(
      .object(
        ("schemaVersion", .integer(2)), ("mediaType", .string(MediaType.manifest)),
        ("artifactType", .string(artifactType)), ("config", empty.json), ("layers", .array(layers.map(\.json))),
        ("subject", subject), ("annotations", OCIDescriptor.json(annotations))))
    guard bytes.count <= Self.sizeLimit else {
      throw SignetError(
        .ociBounds, "manifest", "would be larger than registries take", expected: "at most \(Self.sizeLimit) bytes",
        found: "\(bytes.count) bytes")
    }
    try self.init(bytes, type: MediaType.manifest, from: "manifest")
  }

  /// Makes an index.
  ///
  /// - Parameter unread: entries that another program has written, and that stay as they are.
  /// - Throws: `oci.bounds`, `json.…`, `crypto.failure`.
  package init(
    index manifests: [OCIDescriptor], unread: [JSONValue] = [], annotations: [String: String] = [:]
  ) throws(SignetError) {
    let bytes = try CanonicalJSON.write(
      .object(
        ("schemaVersion", .integer(2)), ("mediaType", .string(MediaType.index)),
        ("manifests", .array(manifests.map(\.json) + unread)), ("annotations", OCIDescriptor.json(annotations))))
    guard bytes.count <= Self.sizeLimit else {
      throw SignetError(
        .ociBounds, "index", "would be larger than registries take", expected: "at most \(Self.sizeLimit) bytes",
        found: "\(bytes.count) bytes")
    }
    try self.init(bytes, type: MediaType.index, from: "index")
  }

  /// The configuration of what needs none.
  package static func emptyConfig() throws(SignetError) -> (bytes: [UInt8], descriptor: OCIDescriptor) {
    let bytes = Array("{}".utf8)
    return (bytes, try OCIDescriptor(MediaType.empty, of: bytes))
  }

  /// The digest of the bytes.
  package var digest: Digest { descriptor.digest }

  /// The entries of an index that can be read; none for a manifest.
  package var parts: [OCIDescriptor] { if case .index(let parts) = content { parts } else { [] } }

  /// The blobs that the manifest names, each once.
  package var blobs: [OCIDescriptor] {
    guard case .image(let config, let layers) = content else { return [] }
    var seen: Set<Digest> = []
    return ([config] + layers).filter { seen.insert($0.digest).inserted }
  }
}

extension JSONObject {
  /// Takes the entries of an index. Those with a digest that is not read here stay as they are.
  fileprivate mutating func entries() throws(SignetError) -> (OCIManifest.Content, [JSONValue]) {
    var (entries, unread): ([OCIDescriptor], [JSONValue]) = ([], [])
    for (number, element) in try array("manifests").enumerated() {
      let object = try child(element, "manifests[\(number)]")
      do throws(SignetError) { entries.append(try OCIDescriptor(object)) } catch  where error.code == .ociUnsupported
      {
        unread.append(element)
      }
    }
    return (.index(entries), unread)
  }

  /// Takes the descriptors of a list.
  fileprivate mutating func descriptors(_ name: String) throws(SignetError) -> [OCIDescriptor] {
    let elements = try array(name)
    var descriptors: [OCIDescriptor] = []
    for (number, element) in elements.enumerated() {
      descriptors.append(try OCIDescriptor(child(element, "\(name)[\(number)]")))
    }
    return descriptors
  }
}
