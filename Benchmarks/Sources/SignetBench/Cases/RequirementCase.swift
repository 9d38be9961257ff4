#if canImport(Glibc)
  internal import ModuleStore
  internal import Signet

  /// A host with many modules that require the same one, which is damaged: that is found out once, and not for each.
  enum RequirementCase {
    private static let count = 40
    /// What is refused is not loaded, so it may not take longer than what is.
    private static let budget = 1.0
    private static let damaged = "com.example.damaged"
    /// Bytes of the damaged library: all of them are read before it is refused.
    private static let size = 10 << 20

    static func comparison(_ modules: ModuleMaker) throws -> Comparison {
      let dependents = try store(modules, "dependents.store") {
        .init(name: "com.example.d\($0)", requirement: damaged)
      }
      let others = try store(modules, "others.store") { .init(name: "com.example.o\($0)") }
      return Comparison(
        "start a host with \(count) modules that require a damaged one, whole process",
        Contender("\(count) that require it", HostStart.command(dependents, count: 0)),
        against: Contender("\(count) that do not", HostStart.command(others, count: count)), budget: budget,
        note: "the damaged one is installed in both, with \(Text.size(size))")
    }

    private static func store(
      _ modules: ModuleMaker, _ place: String, _ plan: (Int) -> ModuleMaker.Plan
    ) throws -> String {
      let installed = try modules.install(
        [.init(name: damaged, padding: size)] + (0..<count).map(plan), into: place)
      let release = try ModuleStore(opening: place, policy: modules.policy, clock: .system).active(installed[0])
      try TestFile.change("\(release.path)/\(ModuleMaker.library(damaged))", to: 0)
      return place
    }
  }
#endif
