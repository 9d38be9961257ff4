internal import Signet

/// Modules that wait until no other code is on trial, because they may have crashed the process, and modules that
/// require them.
struct HeldBackModules {
  private var batches: [[ModuleIdentifier]] = []
  private var dependents: [ModuleIdentifier] = []
  /// Modules that the start has left out, and that were not asked for since.
  private(set) var leftOut: Set<ModuleIdentifier> = []

  /// Whether any module waits.
  var isWaiting: Bool { !batches.isEmpty || !dependents.isEmpty }

  /// Sets the modules that a start leaves out.
  mutating func leave(out modules: Set<ModuleIdentifier>) { leftOut = modules }

  /// Notes that a module is asked for, even if it was left out.
  mutating func ask(for module: ModuleIdentifier) { leftOut.remove(module) }

  /// Adds modules that a round has not loaded.
  ///
  /// - Parameters:
  ///   - batches: modules that are loaded together, one batch after another.
  ///   - dependents: modules that require one of them.
  mutating func add(_ batches: [[ModuleIdentifier]], dependents: [ModuleIdentifier]) {
    var known = Set(self.batches.flatMap(\.self))
    for batch in batches {
      let new = batch.filter { known.insert($0).inserted }
      if !new.isEmpty { self.batches.append(new) }
    }
    for module in dependents where !self.dependents.contains(module) && !known.contains(module) {
      self.dependents.append(module)
    }
  }

  /// Takes out what to load next: a batch, or when no batch is left, all modules that require one of them.
  ///
  /// - Returns: the modules, and whether they may be loaded even if one of them is on trial already.
  mutating func next() -> (modules: [ModuleIdentifier], areTogether: Bool)? {
    if !batches.isEmpty {
      let batch = batches.removeFirst()
      return (batch, batch.count > 1)
    }
    guard !dependents.isEmpty else { return nil }
    defer { dependents = [] }
    return (dependents, false)
  }
}
