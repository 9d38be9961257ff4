import Signet

@testable import ModuleResolver

/// A small world of modules, and a complete search in it that is too simple to be wrong.
struct World {
  /// For each module its releases, oldest first: what each one requires.
  var releases: [[[Requirement]]] = []
  /// For each module the releases that do not support the host.
  var unsupported: [Set<Int>] = []
  /// What the host requires.
  var requirements: [Requirement] = []

  struct Requirement {
    let module: Int
    /// The accepted versions, as numbers of releases: all between two.
    let versions: ClosedRange<Int>
  }

  /// A choice: a release for some of the modules.
  typealias Choice = [Int?]

  /// Whether a choice is a solution: everything that is required is there in an accepted version, nothing more is there,
  /// and there is no circle.
  func isSolution(_ choice: Choice) -> Bool {
    var reached = Set<Int>()
    var queue = requirements
    while let next = queue.popLast() {
      guard let chosen = choice[next.module], next.versions.contains(chosen),
        !unsupported[next.module].contains(chosen)
      else { return false }
      if reached.insert(next.module).inserted { queue += releases[next.module][chosen] }
    }
    guard reached.count == choice.count(where: { $0 != nil }) else { return false }
    return !hasCircle(choice)
  }

  private func hasCircle(_ choice: Choice) -> Bool {
    // What requires nothing that is left is taken away, until nothing changes.
    var left = Set(choice.indices.filter { choice[$0] != nil })
    while true {
      let free = left.filter { module in
        choice[module].map { release in releases[module][release].allSatisfy { !left.contains($0.module) } } ?? true
      }
      if free.isEmpty { return !left.isEmpty }
      left.subtract(free)
    }
  }

  /// Whether some solution has these modules in these releases.
  func hasSolution(with fixed: [Int: ClosedRange<Int>] = [:]) -> Bool {
    var choice = Choice(repeating: nil, count: releases.count)
    return search(&choice, requirements, fixed, Set(fixed.keys))
  }

  /// Whether some solution has no other releases of these modules.
  func hasSolution(within fixed: [Int: ClosedRange<Int>]) -> Bool {
    var choice = Choice(repeating: nil, count: releases.count)
    return search(&choice, requirements, fixed, [])
  }

  /// Tries every release of every module that is required.
  private func search(
    _ choice: inout Choice, _ pending: [Requirement], _ fixed: [Int: ClosedRange<Int>], _ needed: Set<Int>
  ) -> Bool {
    guard let next = pending.last else {
      return isSolution(choice) && needed.allSatisfy { choice[$0] != nil }
    }
    if let chosen = choice[next.module] {
      return next.versions.contains(chosen) && search(&choice, Array(pending.dropLast()), fixed, needed)
    }
    for release in releases[next.module].indices
    where next.versions.contains(release) && fixed[next.module]?.contains(release) != false {
      choice[next.module] = release
      if search(&choice, pending.dropLast() + releases[next.module][release], fixed, needed) { return true }
      choice[next.module] = nil
    }
    return false
  }
}
