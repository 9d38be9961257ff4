internal import Signet
internal import SignetBase

/// Modules that require each other, so that none of them can be loaded first.
struct RequirementCircles {
  /// One circle for each group of modules that are in circles: the modules in the order in which they require each
  /// other, beginning with the one whose identifier comes first.
  let all: [[ModuleIdentifier]]

  init(_ modules: ModuleReleases) {
    var required: [ModuleIdentifier: [ModuleIdentifier]] = [:]
    for each in modules.all {
      let names = each.description.requirements.modules.map(\.identifier).filter { !modules[$0].isEmpty }
      required[each.description.identifier, default: []] += names
    }
    let stuck = Self.neverLoaded(required)
    // Each module that can never be loaded requires another such module. Following one after the other, a module
    // comes again, and what lies between is a circle. No module is passed twice.
    var passed: Set<ModuleIdentifier> = []
    var circles: [[ModuleIdentifier]] = []
    for start in stuck.sorted(by: { "\($0)".precedesInBytes("\($1)") }) {
      var path: [ModuleIdentifier] = []
      var places: [ModuleIdentifier: Int] = [:]
      var next: ModuleIdentifier? = start
      while let module = next, passed.insert(module).inserted {
        places[module] = path.count
        path.append(module)
        next = required[module]?.first { stuck.contains($0) }
      }
      if let next, let begin = places[next] { circles.append(Self.rotated(Array(path[begin...]))) }
    }
    all = circles
  }

  /// The modules that are in a circle, or require one that is: what is left when every module is taken away whose
  /// required modules have been taken away.
  private static func neverLoaded(_ required: [ModuleIdentifier: [ModuleIdentifier]]) -> Set<ModuleIdentifier> {
    var dependents: [ModuleIdentifier: [ModuleIdentifier]] = [:]
    var waiting: [ModuleIdentifier: Int] = [:]
    for (module, others) in required {
      waiting[module] = others.count
      for other in others { dependents[other, default: []].append(module) }
    }
    var ready = waiting.filter { $0.value == 0 }.map(\.key)
    while let module = ready.popLast() {
      waiting[module] = nil
      for dependent in dependents[module] ?? [] {
        guard let count = waiting[dependent] else { continue }
        waiting[dependent] = count - 1
        if count == 1 { ready.append(dependent) }
      }
    }
    return Set(waiting.keys)
  }

  private static func rotated(_ circle: [ModuleIdentifier]) -> [ModuleIdentifier] {
    let first = circle.indices.min { "\(circle[$0])".precedesInBytes("\(circle[$1])") } ?? 0
    return Array(circle[first...] + circle[..<first])
  }
}
