extension GateReport {
  /// What a check says of an artifact: the same in every format.
  public enum State: Sendable {
    /// It is verified, and no rule has found anything.
    case clean
    /// It is verified. What the rules have found does not refuse it.
    case warned
    /// Nobody trusted has signed it, and the policy lets it pass all the same.
    case unverified
    /// A finding refuses it.
    case refused

    /// What people are told.
    package var words: String {
      switch self {
      case .clean, .warned: "verified"
      case .unverified: "not verified, which the policy allows"
      case .refused: "refused"
      }
    }
  }

  /// An artifact, and what the check says of it.
  public struct CheckedArtifact: Sendable {
    /// The file or directory.
    public let file: File
    /// How its verification ended.
    public let artifact: Artifact
    /// What the check says of it.
    public let state: State
    /// The first finding that decides the state; nil if it is clean.
    ///
    /// A finding about a bundle of the artifact counts as one about the artifact.
    package let deciding: Finding?
    /// The number of findings that are as grave as to decide the state.
    package let decidingCount: Int
  }

  /// The artifacts among files, with all findings of a check.
  static func checked(
    _ files: [File], _ findings: [Finding], failingLevel: Level
  ) -> [CheckedArtifact] {
    // The keys are bytes: a dictionary of texts would take two spellings of an accent for one file.
    var places: [[UInt8]: (artifact: Int, own: Bool)] = [:]
    var artifacts: [(file: File, artifact: Artifact)] = []
    for file in files {
      guard case .artifact(let artifact) = file.role else { continue }
      places[Array(file.path.utf8)] = (artifacts.count, true)
      artifacts.append((file, artifact))
    }
    // A bundle of a bundle is of no artifact, so it has no place.
    for file in files {
      guard case .bundle(let artifact) = file.role, let place = places[Array(artifact.utf8)], place.own else {
        continue
      }
      places[Array(file.path.utf8)] = (place.artifact, false)
    }
    var refusing = [(first: Finding?, count: Int)](repeating: (nil, 0), count: artifacts.count)
    var others = refusing
    for finding in findings {
      guard let path = finding.path, let place = places[Array(path.utf8)]?.artifact else { continue }
      if finding.level >= failingLevel {
        refusing[place] = (refusing[place].first ?? finding, refusing[place].count + 1)
      } else {
        others[place] = (others[place].first ?? finding, others[place].count + 1)
      }
    }
    return artifacts.enumerated().map { number, each in
      let isRefused = refusing[number].count > 0
      let (first, count) = isRefused ? refusing[number] : others[number]
      let state: State =
        isRefused ? .refused : !each.artifact.isVerified ? .unverified : count > 0 ? .warned : .clean
      return CheckedArtifact(
        file: each.file, artifact: each.artifact, state: state, deciding: first, decidingCount: count)
    }
  }
}
