internal import Signet

/// Modules that wait until no other code is on trial, because the process may have crashed with them, and those that require them.
struct HeldBackModules {
  private var batches: [[ModuleIdentifier]] = []
  private var dependents: [ModuleIdentifier] = []
  /// What the start has left out, and nobody has asked for since.
  private(set) var leftOut: Set<ModuleIdentifier> = []

  /// Whether anything waits.
  var isWaiting: Bool { !batches.isEmpty || !dependents.isEmpty }

  /// A start leaves modules out.
  mutating func leave(out modules: Set<ModuleIdentifier>) { leftOut = modules }

  /// Somebody asks for a module, whatever was left out.
  mutating func ask(for module: ModuleIdentifier) { leftOut.remove(module) }

  /// Adds what a round has not loaded.
  ///
  /// - Parameters:
  ///   - batches: modules that are loaded together, one batch after another.
  ///   - dependents: those that require one of them.
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

  /// Takes out what is to be loaded next. That is a batch. When no batch is left, it is everything that requires one of them.
  ///
  /// - Returns: the modules, and whether they may be loaded though one of them is on trial already.
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
