/// A pattern for names: stars, each of which stands for any elements or none, and parts, each of which stands for one
/// element.
///
/// The formats of patterns differ in what a name is made of, and in what can stand for one element of it. What they
/// share is how stars are matched.
package struct StarPattern<Part: Sendable>: Sendable {
  /// Nil is a star.
  private let parts: [Part?]
  /// The number of elements that a name has at least; all names have this many if there is no star.
  private let least: Int

  /// Creates a pattern from its parts; nil is a star.
  package init(_ parts: [Part?]) {
    self.parts = parts
    least = parts.count { $0 != nil }
  }

  /// Whether the pattern has a star.
  package var hasStars: Bool { least < parts.count }

  /// Whether the pattern is for a name.
  ///
  /// After a mismatch the last star takes one more element, so that it takes at most the product of the two lengths.
  ///
  /// - Parameters:
  ///   - steps: is raised by the number of comparisons.
  ///   - matches: whether a part stands for an element.
  package func covers<Element>(
    _ name: [Element], steps: inout Int, _ matches: (Part, Element) -> Bool
  ) -> Bool {
    guard hasStars ? name.count >= least : name.count == least else { return false }
    var (place, next) = (0, 0)
    var last: (place: Int, next: Int)?
    while next < name.count {
      steps += 1
      if place < parts.count, let part = parts[place] {
        if matches(part, name[next]) {
          place += 1
          next += 1
          continue
        }
      } else if place < parts.count {
        last = (place, next)
        place += 1
        continue
      }
      guard let star = last else { return false }
      last = (star.place, star.next + 1)
      (place, next) = (star.place + 1, star.next + 1)
    }
    return parts[place...].allSatisfy { $0 == nil }
  }

  /// Whether the pattern is for a name.
  package func covers<Element>(_ name: [Element], _ matches: (Part, Element) -> Bool) -> Bool {
    var steps = 0
    return covers(name, steps: &steps, matches)
  }
}

extension StarPattern where Part: Equatable {
  /// Reads a pattern in which an element stands for itself.
  ///
  /// - Parameter star: the element that is a star.
  package init(_ elements: some Sequence<Part>, star: Part) { self.init(elements.map { $0 == star ? nil : $0 }) }

  /// Whether the pattern is for a name.
  package func covers(_ name: [Part]) -> Bool { covers(name) { $0 == $1 } }
}
