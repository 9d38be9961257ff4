internal import Signet
internal import SignetBase

/// The patterns of what is left out of a release, made ready for many paths.
///
/// Most patterns are for the last name of a path, such as `README.md` and `*.md`. Those without a star are looked up,
/// however many there are.
struct ExclusionList {
  private let patterns: [PathPattern]
  /// The first pattern for each last name that has no star.
  private var literals: [[UInt8]: Int] = [:]
  /// The other patterns, in their order.
  private var others: [Int] = []

  init(_ patterns: [PathPattern]) {
    self.patterns = patterns
    for (index, pattern) in patterns.enumerated() {
      if let name = pattern.literalName {
        if literals[name] == nil { literals[name] = index }
      } else {
        others.append(index)
      }
    }
  }

  /// The first pattern that is for a path; nil if none is.
  ///
  /// - Parameter isFolder: whether a folder is there: a pattern that is for it leaves out everything in it.
  func first(for path: String, isFolder: Bool) -> PathPattern? {
    guard !patterns.isEmpty else { return nil }
    let names = PathPattern.names(of: path)
    let literal = names.last.flatMap { literals[$0] } ?? patterns.count
    let index = others.prefix { $0 < literal }.first { index in
      (!isFolder || patterns[index].isForFolders) && patterns[index].covers(names)
    }
    return (index ?? literal) < patterns.count ? patterns[index ?? literal] : nil
  }
}
