internal import SignetBase

/// Why no choice of releases meets a Modfile, in sentences. Each one follows from facts and from sentences before it.
public struct ConflictExplanation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentences, in order. Those that are referred to later end with a number.
  public let sentences: [String]

  /// One sentence a line.
  public var description: String { sentences.joined(separator: "\n") }

  /// The most sentences. Longer proofs keep their end, which is nearest to the Modfile.
  static let sentenceLimit = 100
}

/// Writes the derivation of a failure: incompatibilities that each follow from two others.
struct Explanation {
  let incompatibilities: [Incompatibility]
  let phrases: Phrases

  /// What a derived incompatibility follows from.
  private func causes(_ index: Int) -> (Int, Int)? {
    if case .derived(let first, let second) = incompatibilities[index].cause { return (first, second) }
    return nil
  }

  /// All facts from which an incompatibility follows.
  func facts(of failure: Int) -> [Int] { order(failure).filter { causes($0) == nil } }

  /// Everything from which an incompatibility follows, and itself: causes come before what follows from them. Derivations
  /// can be long, so this uses no stack of the thread.
  private func order(_ failure: Int) -> [Int] {
    var done: Set<Int> = []
    var order: [Int] = []
    var stack = [(index: failure, isEntered: false)]
    while let (index, isEntered) = stack.popLast() {
      if done.contains(index) { continue }
      if isEntered || causes(index) == nil {
        done.insert(index)
        order.append(index)
        continue
      }
      stack.append((index, true))
      guard let (first, second) = causes(index) else { continue }
      // What was derived last is told last, right before what follows from it.
      let isSecondLast = causes(second) != nil && (causes(first) == nil || second > first)
      stack.append((isSecondLast ? second : first, false))
      stack.append((isSecondLast ? first : second, false))
    }
    return order
  }

  /// The sentences.
  func sentences(of failure: Int) -> ConflictExplanation {
    let derived = order(failure).filter { causes($0) != nil }
    guard !derived.isEmpty else {
      let fact = phrases.phrase(incompatibilities[failure])
      return ConflictExplanation(sentences: ["Because \(fact), the Modfile cannot be met."])
    }
    let steps = steps(derived)
    // A sentence needs a number if a later one uses it that does not follow at once.
    var places: [Int: Int] = [:]
    for (place, step) in steps.enumerated() { places[step.index] = place }
    var numbers: [Int: Int] = [:]
    for (place, step) in steps.enumerated() {
      for cause in step.derived where places[cause] != place - 1 { numbers[cause] = 0 }
    }
    var next = 1
    for step in steps where numbers[step.index] != nil {
      numbers[step.index] = next
      next += 1
    }
    var sentences: [String] = []
    for (place, step) in steps.enumerated() {
      let reasons =
        phrases.phrases(step.facts.map { incompatibilities[$0] })
        + step.derived.filter { places[$0] != place - 1 }.map { index in
          "\(phrases.phrase(incompatibilities[index])) (\(numbers[index] ?? 0))"
        }
      let goesOn = step.derived.contains { places[$0] == place - 1 }
      let isLast = place == steps.count - 1
      let start = isLast && place > 0 ? "So, because" : goesOn ? "And because" : "Because"
      let conclusion = phrases.phrase(incompatibilities[step.index])
      let number = numbers[step.index].map { " (\($0))" } ?? ""
      sentences.append("\(start) \(reasons.joined(separator: " and ")), \(conclusion)\(number).")
    }
    let surplus = sentences.count - ConflictExplanation.sentenceLimit
    if surplus > 0 {
      sentences.removeFirst(surplus)
      sentences.insert("\(surplus) earlier steps are left out.", at: 0)
    }
    return ConflictExplanation(sentences: sentences)
  }

  /// A sentence: what follows, and from which facts and other sentences.
  private struct Step {
    let index: Int
    var facts: [Int]
    var derived: [Int]
  }

  /// One sentence for each derivation. Where one follows from a fact and from another one that also follows from one fact
  /// and is used nowhere else, the two become one sentence: "because A requires both B and C".
  private func steps(_ derived: [Int]) -> [Step] {
    var uses: [Int: Int] = [:]
    for index in derived {
      guard let (first, second) = causes(index) else { continue }
      for cause in Set([first, second]) { uses[cause, default: 0] += 1 }
    }
    var steps: [Step] = []
    for index in derived {
      guard let (first, second) = causes(index) else { continue }
      let all = first == second ? [first] : [first, second]
      var step = Step(
        index: index, facts: all.filter { causes($0) == nil }, derived: all.filter { causes($0) != nil })
      if let last = steps.last, step.derived == [last.index], uses[last.index] == 1, step.facts.count == 1,
        last.facts.count == 1, last.derived.count == 1
      {
        step = Step(index: index, facts: last.facts + step.facts, derived: last.derived)
        steps.removeLast()
      }
      steps.append(step)
    }
    return steps
  }
}
