internal import Signet
internal import SignetBase

/// The artifacts of two releases, each with the one that it takes the place of.
///
/// A module is the module of the same identifier, whatever its file is called. Any other artifact is the one with the
/// same path, or the only one whose path is the same but for version numbers.
struct ArtifactPairs {
  /// An artifact of the last release, of this one, or both.
  struct Pair {
    let old: ExaminedArtifact?
    let new: ExaminedArtifact?

    /// The path in this release, or else in the last one.
    var path: String { new?.path ?? old?.path ?? "" }
  }

  /// The pairs, sorted by the bytes of their paths.
  let all: [Pair]

  init(_ old: [ExaminedArtifact], _ new: [ExaminedArtifact]) {
    var matching = Matching(old: old, new: new)
    matching.matchModules()
    matching.match { Array($0.path.utf8) }
    matching.match { VersionlessPath.bytes(of: $0.path) }
    all = matching.pairs.sorted { $0.path.precedesInBytes($1.path) }
  }

  private struct Matching {
    let old: [ExaminedArtifact]
    let new: [ExaminedArtifact]
    /// For each new artifact, the index of the old one.
    private var matches: [Int?]
    private var isTaken: [Bool]

    init(old: [ExaminedArtifact], new: [ExaminedArtifact]) {
      self.old = old
      self.new = new
      matches = [Int?](repeating: nil, count: new.count)
      isTaken = [Bool](repeating: false, count: old.count)
    }

    var pairs: [Pair] {
      matches.enumerated().map { Pair(old: $0.element.map { old[$0] }, new: new[$0.offset]) }
        + old.indices.filter { !isTaken[$0] }.map { Pair(old: old[$0], new: nil) }
    }

    /// Matches artifacts for which the key is the same, if each release has just one of them left.
    mutating func match(_ key: (ExaminedArtifact) -> [UInt8]?) {
      var candidates: [[UInt8]: (old: [Int], new: [Int])] = [:]
      for index in old.indices where !isTaken[index] {
        if let key = key(old[index]) { candidates[key, default: ([], [])].old.append(index) }
      }
      for index in new.indices where matches[index] == nil {
        if let key = key(new[index]) { candidates[key, default: ([], [])].new.append(index) }
      }
      for each in candidates.values where each.old.count == 1 && each.new.count == 1 {
        take(each.old[0], for: each.new[0])
      }
    }

    /// Matches the archives of each module: those of the same path, then of the same platforms, then in order.
    mutating func matchModules() {
      var candidates: [ModuleIdentifier: (old: [Int], new: [Int])] = [:]
      for index in old.indices {
        guard let module = old[index].module?.module else { continue }
        candidates[module.identifier, default: ([], [])].old.append(index)
      }
      for index in new.indices {
        guard let module = new[index].module?.module else { continue }
        candidates[module.identifier, default: ([], [])].new.append(index)
      }
      for each in candidates.values where !each.old.isEmpty && !each.new.isEmpty {
        match(each) { $0.path.isExactly($1.path) }
        match(each) { $0.module?.module.platforms == $1.module?.module.platforms }
        match(each) { _, _ in true }
      }
    }

    private mutating func match(
      _ candidates: (old: [Int], new: [Int]), where isSame: (ExaminedArtifact, ExaminedArtifact) -> Bool
    ) {
      // A release has few archives of one module. Of those beyond the limit, only the first are matched.
      for index in candidates.new.prefix(Self.limit) where matches[index] == nil {
        let found = candidates.old.prefix(Self.limit).first { !isTaken[$0] && isSame(old[$0], new[index]) }
        if let found { take(found, for: index) }
      }
    }

    private static let limit = 100

    private mutating func take(_ old: Int, for new: Int) {
      matches[new] = old
      isTaken[old] = true
    }
  }
}

extension ModuleDescription {
  /// The platforms that the module has code for, sorted.
  var platforms: [String] { binaries.keys.map(\.rawValue).sorted() }
}
