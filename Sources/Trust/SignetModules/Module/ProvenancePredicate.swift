package import SignetBase

/// What a SLSA provenance v1 says of the source: the repository, and the commit.
///
/// slsa.dev/spec/v1.1/provenance. Fields that decide nothing here are not read, as its parsing rules want.
package struct ProvenancePredicate: Hashable, Sendable {
  /// The repository's address, without `git+` and revision.
  package let repository: String
  /// The full ID of the commit.
  package let commit: String

  /// The type of the statements.
  package static let type = PredicateType("https://slsa.dev/provenance/v1")
  /// The label in the name of a provenance's file: `tool.provenance.sigstore.json`.
  package static let label = "provenance"
  /// The beginning of a repository's URI, as SPDX writes download locations.
  package static let git = Array("git+".utf8)
  /// Names the type of the builds of `signet release` (docs/spec.md).
  private static let buildType = "urn:signet:package:v1"
  private static let builder = "urn:signet:package"
  private static let dependencyLimit = 10_000

  /// Creates what a build states of its source.
  package init(repository: String, commit: String) {
    self.repository = repository
    self.commit = commit
  }

  /// The path of the provenance beside an artifact.
  package static func place(beside artifact: String) -> String { BundleFile.single("\(artifact).\(label)") }

  /// Reads a predicate that names one repository and its commit.
  ///
  /// - Throws: `json.…` if it does not.
  package init(_ predicate: JSONValue) throws(SignetError) {
    var object = try JSONObject(predicate, "predicate", unknownField: .statementUnknownField)
    var definition = try object.object("buildDefinition")
    let place = "resolvedDependencies"
    var found: [ProvenancePredicate] = []
    for var each in try definition.objects(place, atMost: Self.dependencyLimit) {
      guard let uri = try each.optionalString("uri"), uri.utf8.starts(with: Self.git) else { continue }
      var digest = try each.object("digest")
      // The SLSA generators for GitHub call the commit `sha1`.
      let commit = try digest.has("gitCommit") ? digest.string("gitCommit") : digest.string("sha1")
      guard [20, 32].contains(Hexadecimal.decode(commit)?.count) else {
        throw digest.wrong("gitCommit", "40 or 64 lower-case hexadecimal digits", commit)
      }
      found.append(
        ProvenancePredicate(repository: String(decoding: Self.repository(uri), as: UTF8.self), commit: commit))
    }
    guard found.count == 1 else {
      throw definition.wrong(place, "one repository of git, with its commit", "\(found.count)")
    }
    self = found[0]
  }

  /// The predicate of a build of `signet release`.
  ///
  /// - Parameters:
  ///   - tag: the tag of the release.
  ///   - spec: the path of the spec from the root of the repository.
  package func json(tag: String, spec: String) -> JSONValue {
    .object(
      (
        "buildDefinition",
        .object(
          ("buildType", .string(Self.buildType)),
          (
            "externalParameters",
            .object(
              ("ref", .string("refs/tags/\(tag)")), ("source", .string(repository)), ("spec", .string(spec)))
          ),
          (
            "resolvedDependencies",
            .array([
              .object(
                ("digest", .object(("gitCommit", .string(commit)))),
                ("uri", .string("git+\(repository)@refs/tags/\(tag)")))
            ])
          ))
      ),
      ("runDetails", .object(("builder", .object(("id", .string(Self.builder)))))))
  }

  /// The commit and the repository, for messages.
  package var words: String { "\(commit) of \(repository)" }

  /// Values are equal if their bytes are.
  package static func == (left: Self, right: Self) -> Bool {
    left.repository.isExactly(right.repository) && left.commit.isExactly(right.commit)
  }

  /// Hashes what `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(Array(repository.utf8))
    hasher.combine(Array(commit.utf8))
  }

  /// A repository's URL without `git+`, revision and path in it: the bytes that are compared.
  ///
  /// `git+https://host/name@refs/tags/1#folder` is `https://host/name`. Other URIs stay as they are.
  package static func repository(_ uri: String) -> [UInt8] {
    let bytes = Array(uri.utf8)
    guard bytes.starts(with: git) else { return bytes }
    let url = bytes.dropFirst(git.count).prefix { $0 != UInt8(ascii: "#") }
    // An @ before the path belongs to a user's name.
    var slashes = 0
    let path = url.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes == 3
    }
    guard let path, let revision = url[path...].firstIndex(of: UInt8(ascii: "@")) else { return Array(url) }
    return Array(url[..<revision])
  }
}
