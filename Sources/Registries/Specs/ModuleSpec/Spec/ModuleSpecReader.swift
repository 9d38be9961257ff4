internal import Signet
public import SignetBase

extension ModuleSpec {
  /// The limits of a spec's text. Its fields nest three deep; there is room for lists of the limits below.
  private static let limits = JSONLimits(size: sizeLimit, depth: 4, values: 20_000)
  /// The most patterns in a list. Each is compared with the name of each file, so that the product is bounded.
  private static let patternLimit = 100
  /// The most authors, platforms or dependencies.
  private static let listLimit = 200

  /// Reads a spec's JSON text as people write it, which need not be canonical.
  ///
  /// The smallest spec has a name and a version. What else a release needs is what ``SpecLint`` checks.
  ///
  /// - Throws: `spec.malformed`, `spec.unknown-field`. The error's object gives line and column, except for a text
  ///   that is too long.
  public init(json bytes: [UInt8]) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(bytes, limits: Self.limits)
      try self.init(
        Self.fields(JSONObject(value, "spec", unknownField: .specUnknownField, in: bytes)))
    } catch  where Set.aboutJSON.contains(error.code) {
      throw SignetError(
        .specMalformed, error.object, error.message, expected: error.expected, found: error.found,
        cause: error.cause, hint: "docs/spec.md describes the fields")
    }
  }

  private static func fields(_ object: JSONObject) throws(SignetError) -> SpecFields {
    var object = object
    let name = try object.text("name", .name)
    let versionText = try object.string("version")
    guard let version = SemanticVersion(versionText) else {
      throw object.wrong("version", "a version such as 1.4.2", versionText)
    }
    let fields = SpecFields(
      name: name, version: version, identifier: try object.optionalIdentifier("identifier"),
      sequence: try object.optionalSequence("sequence"), summary: try object.optionalText("summary", .line),
      description: try object.optionalText("description", .prose),
      homepage: try object.optionalText("homepage", .line), license: try license(&object),
      authors: try authors(&object), source: try source(&object),
      binary: try object.optionalBinary("binary"), platforms: try platforms(&object),
      sourceFiles: try object.patterns("source_files", atMost: patternLimit),
      moduleName: try object.optionalText("module_name", .name),
      publicHeaderFiles: try object.patterns("public_header_files", atMost: patternLimit),
      privateHeaderFiles: try object.patterns("private_header_files", atMost: patternLimit),
      excludeFiles: try object.patterns("exclude_files", atMost: patternLimit),
      requiresARC: try object.optionalBool("requires_arc"), dependencies: try dependencies(&object))
    try object.finish()
    return fields
  }

  private static func license(_ object: inout JSONObject) throws(SignetError) -> License? {
    guard var each = try object.optionalObject("license") else { return nil }
    let license = License(type: try each.text("type", .name), file: try each.optionalText("file", .path))
    try each.finish()
    return license
  }

  private static func authors(_ object: inout JSONObject) throws(SignetError) -> [Author] {
    var authors: [Author] = []
    for var each in try object.objects("authors", atMost: listLimit) {
      let author = Author(name: try each.text("name", .name), email: try each.optionalText("email", .name))
      try each.checkNew(author.name, among: authors.map(\.name))
      authors.append(author)
      try each.finish()
    }
    return authors
  }

  private static func source(_ object: inout JSONObject) throws(SignetError) -> Source? {
    guard var each = try object.optionalObject("source") else { return nil }
    let source = Source(
      git: try each.text("git", .line, mayBeSecret: true), tag: try each.optionalText("tag", .line),
      commit: try each.optionalText("commit", .line))
    try each.finish()
    return source
  }

  private static func platforms(_ object: inout JSONObject) throws(SignetError) -> [Platform] {
    var platforms: [Platform] = []
    for var each in try object.objects("platforms", atMost: listLimit) {
      let platform = Platform(
        name: try each.text("name", .platform), minimum: try each.optionalText("minimum", .numbers))
      try each.checkNew(platform.name, among: platforms.map(\.name))
      platforms.append(platform)
      try each.finish()
    }
    return platforms
  }

  private static func dependencies(_ object: inout JSONObject) throws(SignetError) -> [Dependency] {
    var dependencies: [Dependency] = []
    for var each in try object.objects("dependencies", atMost: listLimit) {
      let dependency = Dependency(
        name: try each.text("name", .name), versions: try each.optionalText("versions", .line))
      try each.checkNew(dependency.name, among: dependencies.map(\.name))
      dependencies.append(dependency)
      try each.finish()
    }
    return dependencies
  }
}
