internal import Signet
internal import SignetBase
internal import SignetCrypto

/// The fields of a spec while it is read: what a spec has, apart from its text.
struct SpecFields {
  var name: String
  var version: SemanticVersion
  var identifier: ModuleIdentifier?
  var sequence: Int?
  var summary: String?
  var description: String?
  var homepage: String?
  var license: ModuleSpec.License?
  var authors: [ModuleSpec.Author]
  var source: ModuleSpec.Source?
  var binary: ModuleSpec.Binary?
  var platforms: [ModuleSpec.Platform]
  var sourceFiles: [SourcePattern]
  var moduleName: String?
  var publicHeaderFiles: [SourcePattern]
  var privateHeaderFiles: [SourcePattern]
  var excludeFiles: [SourcePattern]
  var requiresARC: Bool?
  var dependencies: [ModuleSpec.Dependency]

  /// The fields as JSON. What is not stated is left out.
  var json: JSONValue {
    .object(
      ("name", .string(name)), ("version", .string("\(version)")),
      ("identifier", identifier.map { .string("\($0)") }), ("sequence", sequence.map { .integer($0) }),
      ("summary", Self.text(summary)),
      ("description", Self.text(description)), ("homepage", Self.text(homepage)),
      ("license", license.map { .object(("type", .string($0.type)), ("file", Self.text($0.file))) }),
      ("authors", Self.list(authors) { .object(("name", .string($0.name)), ("email", Self.text($0.email))) }),
      (
        "source",
        source.map {
          .object(("git", .string($0.git)), ("tag", Self.text($0.tag)), ("commit", Self.text($0.commit)))
        }
      ),
      ("binary", binary.map { .object(("url", .string($0.url)), ("sha256", .string($0.sha256.hex))) }),
      ("platforms", Self.list(platforms) { .object(("name", .string($0.name)), ("minimum", Self.text($0.minimum))) }),
      ("source_files", Self.list(sourceFiles) { .string($0.description) }),
      ("module_name", Self.text(moduleName)),
      ("public_header_files", Self.list(publicHeaderFiles) { .string($0.description) }),
      ("private_header_files", Self.list(privateHeaderFiles) { .string($0.description) }),
      ("exclude_files", Self.list(excludeFiles) { .string($0.description) }),
      ("requires_arc", requiresARC.map { JSONValue(.bool($0)) }),
      (
        "dependencies",
        Self.list(dependencies) { .object(("name", .string($0.name)), ("versions", Self.text($0.versions))) }
      ))
  }

  private static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  private static func list<Element>(_ elements: [Element], _ json: (Element) -> JSONValue) -> JSONValue? {
    elements.isEmpty ? nil : .array(elements.map(json))
  }
}

extension ModuleSpec {
  init(_ fields: SpecFields) throws(SignetError) {
    name = fields.name
    version = fields.version
    identifier = fields.identifier
    sequence = fields.sequence
    summary = fields.summary
    description = fields.description
    homepage = fields.homepage
    license = fields.license
    authors = fields.authors
    source = fields.source
    binary = fields.binary
    platforms = fields.platforms
    sourceFiles = fields.sourceFiles
    moduleName = fields.moduleName
    publicHeaderFiles = fields.publicHeaderFiles
    privateHeaderFiles = fields.privateHeaderFiles
    excludeFiles = fields.excludeFiles
    requiresARC = fields.requiresARC
    dependencies = fields.dependencies
    text = try CanonicalJSON.write(fields.json)
  }
}
