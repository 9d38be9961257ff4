internal import Signet
internal import SignetBase

/// The repository from which artifacts must have been built, and the commit.
///
/// SLSA leaves it to the type of build where the source is named. The external parameters of the usual types name it
/// in one of a few places. A dependency does not count beside them: somebody else's build may use the repository,
/// too.
struct SourceDemand: Sendable {
  private let repository: String
  private let commit: String?

  /// Where builds name their source, in `externalParameters`: GitHub's workflows, the specification's own example,
  /// GitLab, the SLSA generators for GitHub, Tekton, and Google's Cloud Build.
  private static let places = [
    ["workflow", "repository"], ["repository"], ["source"], ["source", "uri"], ["source", "repository"],
    ["buildConfigSource", "repository"], ["configSource", "repository"], ["sourceToBuild", "repository"],
  ]

  /// Takes `source` and `commit` of a demand; nil if it has neither.
  ///
  /// - Throws: `json.…`.
  init?(_ object: inout JSONObject) throws(SignetError) {
    let repository = try object.optionalString("source")
    let commit = try object.optionalString("commit")
    if let commit {
      let isHexadecimal = commit.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      guard isHexadecimal, [40, 64].contains(commit.utf8.count) else {
        throw object.wrong("commit", "40 or 64 digits of lower-case hexadecimal", commit)
      }
      guard repository != nil else { throw object.wrong("commit", "a source beside it", "no source") }
    }
    guard let repository else { return nil }
    guard !repository.isEmpty else { throw object.wrong("source", "a URL", "an empty text") }
    self.repository = repository
    self.commit = commit
  }

  /// Says how a build's source differs from the demanded one.
  func objections(to parameters: JSONObject, _ dependencies: [BuildDependency]) -> [AttestationObjection] {
    var named = Self.places.compactMap { names -> (place: String, uri: String)? in
      guard case .string(let uri)? = parameters.value.member(names)?.content else { return nil }
      return ("\(parameters.path).\(names.joined(separator: "."))", uri)
    }
    if named.isEmpty {
      // If the build has used one repository alone, there is no doubt which one is its source.
      let repositories = dependencies.filter { $0.uri.utf8.starts(with: ProvenancePredicate.git) }
      guard repositories.count == 1 else {
        return [
          AttestationObjection(
            "has no provenance that names its source in a known place", place: parameters.path, expected: repository,
            found: "\(repositories.count) repositories among the dependencies",
            hint: "demand parameters instead of source, as the type of build has them")
        ]
      }
      named = [(repositories[0].place, repositories[0].uri)]
    }
    let demanded = ProvenancePredicate.repository(repository)
    let others = named.filter { ProvenancePredicate.repository($0.uri) != demanded }
    guard others.isEmpty else {
      return others.map { other in
        AttestationObjection(
          "was built from another source", place: other.place, expected: repository, found: other.uri,
          hint: "release what was built from the demanded repository")
      }
    }
    return commitObjection(dependencies.filter { ProvenancePredicate.repository($0.uri) == demanded }).map { [$0] }
      ?? []
  }

  /// The objection to the commit of the source.
  ///
  /// - Parameter sources: the dependencies that are the source.
  private func commitObjection(_ sources: [BuildDependency]) -> AttestationObjection? {
    guard let commit else { return nil }
    let found = sources.compactMap { source in source.commit.map { (place: source.place, commit: $0) } }
    guard !found.isEmpty else {
      return AttestationObjection(
        "has no provenance with the commit of its source",
        place: "predicate.buildDefinition.resolvedDependencies", expected: commit, found: nil,
        hint: "release what was built from the demanded commit")
    }
    guard let other = found.first(where: { !$0.commit.isExactly(commit) }) else { return nil }
    return AttestationObjection(
      "was built from another commit", place: other.place, expected: commit, found: other.commit,
      hint: "release what was built from the demanded commit")
  }
}

/// An entry of `resolvedDependencies`: a repository, or anything else that a build has used.
struct BuildDependency: Sendable {
  /// The URI; empty if the entry has no URI.
  let uri: String
  /// The commit, if it is a repository at a commit.
  let commit: String?
  /// The place of the entry in the statement.
  let place: String

  /// Reads the list, which may be missing.
  ///
  /// - Throws: `json.wrong-value`.
  static func all(in definition: inout JSONObject) throws(SignetError) -> [BuildDependency] {
    let name = "resolvedDependencies"
    guard let list = definition.present(name) else { return [] }
    guard case .array(let elements) = list.content else { throw definition.wrong(name, "a list", list.kind) }
    var dependencies: [BuildDependency] = []
    for (index, element) in elements.enumerated() {
      var object = try definition.child(element, "\(name)[\(index)]")
      let uri = object.present("uri")?.text ?? ""
      var commit: String?
      if let value = object.present("digest") {
        var digest = try object.child(value, "digest")
        // The SLSA generators for GitHub call the commit `sha1`.
        let (named, short) = (digest.present("gitCommit"), digest.present("sha1"))
        commit = (named ?? short)?.text
      }
      dependencies.append(BuildDependency(uri: uri, commit: commit, place: object.path))
    }
    return dependencies
  }
}
