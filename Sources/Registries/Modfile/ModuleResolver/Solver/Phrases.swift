internal import SignetBase

/// What an incompatibility says, in words.
struct Phrases {
  let catalog: Catalog

  /// How many versions are named one by one.
  private static let listLimit = 3

  /// An incompatibility as a part of a sentence.
  func phrase(_ incompatibility: Incompatibility) -> String {
    switch incompatibility.cause {
    case .root: "the Modfile must be met"
    case .requirement: phrases([incompatibility]).joined()
    case .host(let term, let versions, let host): "\(releases(term)) requires host \(versions) (the host is \(host))"
    case .cycle(let terms): cycle(terms)
    case .derived: conclusion(incompatibility.terms)
    }
  }

  /// Facts as parts of a sentence. What requires a module comes before what the module requires, and what has the same
  /// subject becomes one part.
  func phrases(_ facts: [Incompatibility]) -> [String] {
    var facts = facts
    if facts.count == 2, case .requirement(let first) = facts[0].cause,
      case .requirement(let second) = facts[1].cause,
      first.dependent.module == second.module
    {
      facts.swapAt(0, 1)
    }
    var parts: [(subject: String?, objects: [String])] = []
    for fact in facts {
      guard case .requirement(let requirement) = fact.cause else {
        parts.append((nil, [phrase(fact)]))
        continue
      }
      let (subject, object) = words(requirement)
      if let last = parts.last, last.subject == subject {
        parts[parts.count - 1].objects.append(object)
      } else {
        parts.append((subject, [object]))
      }
    }
    return parts.map { subject, objects in
      guard let subject else { return objects.joined() }
      return "\(subject) requires \(objects.count > 1 ? "both " : "")\(objects.joined(separator: " and "))"
    }
  }

  /// Who requires, and what.
  private func words(_ fact: Incompatibility.Requirement) -> (subject: String, object: String) {
    let name = catalog.name(fact.module)
    // "com.example.player any version" is no English.
    let what = fact.versions == "\(VersionRequirement.any)" ? "any version of \(name)" : "\(name) \(fact.versions)"
    let notes = [fact.line.map { "line \($0)" }, fact.isMet ? nil : absence(fact.module)].compactMap(\.self)
    return (
      fact.line == nil ? releases(fact.dependent) : "the Modfile",
      what + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    )
  }

  /// Why a required module cannot be had.
  private func absence(_ module: Int) -> String {
    let entry = catalog[module]
    switch entry.origin {
    case .nobody: return "no source may serve it"
    case .override(let override): return "\(override) has \(entry.releases.map { "\($0.version)" }.joined())"
    case .source(let source):
      guard let first = entry.releases.first, let last = entry.releases.last else {
        return entry.leftOut.isEmpty
          ? "source \(source.name) does not offer it" : "source \(source.name) offers only \(leftOut(entry))"
      }
      let range = entry.releases.count == 1 ? "\(first.version)" : "\(first.version) to \(last.version)"
      let rest = entry.leftOut.isEmpty ? "" : ", and \(leftOut(entry)), which may not be chosen"
      return "source \(source.name) offers \(range)\(rest)"
    }
  }

  /// Releases that may not be chosen, newest first, with the reason.
  private func leftOut(_ entry: Catalog.Entry) -> String {
    let some = entry.leftOut.reversed().prefix(Self.listLimit).map { release in
      "the \(release.yanked != nil ? "withdrawn" : release.isWaiting ? "too young" : "pre-release") \(release.version)"
    }
    let more = entry.leftOut.count - some.count
    return some.joined(separator: " and ") + (more > 0 ? " and \(more) more" : "")
  }

  private func cycle(_ terms: [Term]) -> String {
    let names = terms.map { releases($0) } + [catalog.name(terms[0].module)]
    return names.joined(separator: " requires ") + ", and a host cannot load modules in a circle"
  }

  /// What follows from other facts.
  private func conclusion(_ terms: [Term]) -> String {
    let present = terms.filter { $0.module != Catalog.root && $0.states.isPresent }
    let others = terms.filter { $0.module != Catalog.root && !$0.states.isPresent }
    let needs = others.map { needed($0) }.joined(separator: " or ")
    switch (present.count, others.count) {
    case (0, 0): return "the Modfile cannot be met"
    case (0, _): return "\(needs) is needed"
    case (1, 0): return "\(unusable(present[0])) be used"
    case (1, _): return "\(releases(present[0])) requires \(needs)"
    case (_, 0):
      let rest = present.dropFirst().map { releases($0) }
      return "\(unusable(present[0])) be used together with \(rest.joined(separator: " and "))"
    default: return "\(present.map { releases($0) }.joined(separator: " together with ")) requires \(needs)"
    }
  }

  /// The beginning of a sentence that leaves releases out.
  private func unusable(_ term: Term) -> String {
    let isEvery = term.states.size == term.states.count - 1 && term.states.size > 1
    return isEvery ? "no release of \(catalog.name(term.module)) can" : "\(releases(term)) cannot"
  }

  /// The releases that a negative term leaves.
  private func needed(_ term: Term) -> String {
    releases(Term(module: term.module, states: term.states.complement))
  }

  /// Some releases of a module, such as `com.example.player 1.0.0 to 1.2.0`.
  func releases(_ term: Term) -> String {
    let entry = catalog[term.module]
    let name = catalog.name(term.module)
    guard entry.identifier != nil else { return name }
    var runs: [ClosedRange<Int>] = []
    for state in 1..<entry.stateCount where term.states.contains(state) {
      if let last = runs.last, last.upperBound == state - 1 {
        runs[runs.count - 1] = last.lowerBound...state
      } else {
        runs.append(state...state)
      }
    }
    if runs == [1...entry.releases.count], entry.releases.count > 1 { return "every release of \(name)" }
    let words = runs.prefix(Self.listLimit).map { run in
      let (first, last) = (entry.release(run.lowerBound).version, entry.release(run.upperBound).version)
      return run.count == 1 ? "\(first)" : "\(first) to \(last)"
    }
    let more = runs.count > Self.listLimit ? " or another of \(term.states.size)" : ""
    return "\(name) \(words.joined(separator: " or "))\(more)"
  }
}
