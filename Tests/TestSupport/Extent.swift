import Foundation

/// How much of what is done very often a run of the tests does.
public enum Extent {
  /// Whether all of it is done. `make night` sets the variable; all others take a sample, the same one each time.
  public static let isWhole = ProcessInfo.processInfo.environment["SIGNET_WHOLE"] == "1"

  /// Whether tests build in release, too. A whole check does: it names the program that it has built in release, which tests
  /// run, and has most of what plugins need. Where nothing is built in release yet, each of them takes a minute.
  public static let buildsReleases = isWhole || ProcessInfo.processInfo.environment["SIGNET_PROGRAM"] != nil

  /// All elements in a night, else one of so many, and those that say what they must not be without.
  ///
  /// - Parameters:
  ///   - step: one of how many is taken.
  ///   - first: the number of the first of them.
  ///   - isKept: whether an element is taken in any case, because a fault was found at it, or at its like.
  public static func sample<Element>(
    of elements: [Element], oneOf step: Int, from first: Int = 0, keeping isKept: (Element) -> Bool = { _ in false }
  ) -> [Element] {
    guard !isWhole else { return elements }
    return elements.enumerated().filter { $0.offset % step == first % step || isKept($0.element) }.map(\.element)
  }
}
