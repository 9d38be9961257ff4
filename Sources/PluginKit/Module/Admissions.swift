/// Which contexts of a module are still good.
///
/// A module that was removed can be admitted again, for example after its resources were upgraded. The code that holds
/// an older context is that of the removed release. So each admission has a generation of its own, and a context is
/// good for the generation in which it was made.
struct Admissions: Sendable {
  private var generations: [ModuleOwner: Int] = [:]

  /// The generation of contexts that are made now.
  func generation(of owner: ModuleOwner) -> Int { generations[owner, default: 0] }

  /// Ends the current generation: contexts that were made until now are no longer good.
  mutating func end(_ owner: ModuleOwner) { generations[owner, default: 0] += 1 }

  /// - Throws: `module.removed`.
  func check(_ owner: ModuleOwner, _ generation: Int) throws(PluginError) {
    guard generation == self.generation(of: owner) else { throw .removed(owner) }
  }
}

extension ModuleContext {
  /// Registers something, unless the module was removed since this context was made. It cannot be removed meanwhile.
  ///
  /// The body may only change tables. It must not call foreign code, nor release what foreign code made.
  ///
  /// - Throws: `module.removed`, and what the body throws.
  func whileAdmitted<Value>(_ body: () throws(PluginError) -> Value) throws(PluginError) -> Value {
    try switchboard.admissions.read { (admissions) throws(PluginError) in
      try admissions.check(owner, generation)
      return try body()
    }
  }
}

extension Switchboard {
  /// Lets a module that was removed register again, by a new context.
  ///
  /// Contexts that were made before stay without effect, because the code that holds them is that of the removed
  /// release. A module whose code was entered can still not be entered again: its code stays in the process.
  ///
  /// - Parameter module: the module's identifier.
  public func readmit(module: String) {
    let owner = ModuleOwner.module(module)
    admissions.write { admissions in
      admissions.end(owner)
      router.readmit(owner)
      targets.readmit(owner)
      services.readmit(owner)
      notifications.readmit(owner)
      events.readmit(owner)
    }
  }

  /// Whether a context of this generation is still good.
  func isAdmitted(_ owner: ModuleOwner, _ generation: Int) -> Bool {
    admissions.read { $0.generation(of: owner) } == generation && !router.isRemoved(owner)
  }
}
