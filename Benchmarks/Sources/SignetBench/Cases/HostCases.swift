#if canImport(Glibc)
  internal import ModuleStore
  internal import PluginHost
  internal import PluginKit
  internal import Signet
  internal import SignetArchive
  internal import SignetCrypto

  /// Loading modules: one with much code, and a host with many.
  enum HostCases {
    /// A verified load may cost the bare one and so many passes of SHA-256: one to copy, one to compare, and what is around it.
    private static let passes = 2.5
    /// Bytes of the large library.
    private static let size = 10 << 20
    private static let count = 50
    private static let store = "many.store"
    /// Modules of a host with very many: their start has to grow with their number, and no faster.
    private static let manyCount = 10 * count
    /// Seconds for that start, from the beginning of the process to its end.
    private static let manyBudget = 0.5
    private static let pairs = 3

    /// What was asked for of all that needs modules with code.
    static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
      guard !options.cases.isDisjoint(with: [.host, .requirements, .lock]) else { return [] }
      guard let modules = try ModuleMaker(workshop.signet) else {
        StandardStream.error.write("note: no compiler; loading is left out\n")
        return []
      }
      func run(_ comparison: Comparison) throws -> Comparison {
        try comparison.run(rounds: options.rounds, of: pairs, patience: options.patience)
      }
      var comparisons: [Comparison] = []
      // Processes of their own first: they are started before this one has loaded anything.
      if options.cases.contains(.host) { comparisons.append(try run(growth(modules))) }
      if options.cases.contains(.requirements) { comparisons.append(try run(RequirementCase.comparison(modules))) }
      if options.cases.contains(.lock) { comparisons += try LockCases.comparisons(modules).map(run) }
      if options.cases.contains(.host) { comparisons += [try run(large(modules)), try run(many(modules))] }
      return comparisons
    }

    /// A store with 50 modules.
    static func store(_ modules: ModuleMaker) throws -> (path: String, modules: [ModuleIdentifier]) {
      (store, try modules.install((0..<count).map { .init(name: "com.example.m\($0)") }, into: store))
    }

    /// Hosts in processes of their own: nothing is unloaded from a process, and each has to start without what others have loaded.
    private static func growth(_ modules: ModuleMaker) throws -> Comparison {
      let few = try store(modules).path
      try modules.install((0..<manyCount).map { .init(name: "com.example.n\($0)") }, into: "hundreds.store")
      return Comparison(
        "start a host with \(manyCount) modules, whole process",
        Contender("\(manyCount) modules", HostStart.command("hundreds.store", count: manyCount)),
        against: Contender("\(count) modules", HostStart.command(few, count: count)),
        budget: Double(manyCount / count), timeBudget: manyBudget,
        note: "a tenth of the modules: the time must not grow faster than their number")
    }

    /// The same release again and again: each loader copies, hashes and opens it anew, and never closes it.
    private static func large(_ modules: ModuleMaker) throws -> Comparison {
      let name = "com.example.large"
      let module = try modules.install([.init(name: name, padding: size)], into: "large.store")
      let store = try ModuleStore(opening: "large.store", policy: modules.policy, clock: .system)
      let release = try store.active(module[0])
      let library = ModuleMaker.library(name)
      let bytes = try release.bytes(of: library)
      let bare = HashedLibrary(try workingFile(release.path + "/" + library), bytes)
      return Comparison(
        "verify and load a module of \(Text.size(bytes.count))",
        Contender("ModuleLoader.load", calls: 1, after: { UsedMemory.use(2 * size) }) {
          try ModuleLoader().load(release) { _ in }
        },
        against: Contender("dlopen, and \(passes) passes of SHA-256", calls: 1, after: { UsedMemory.use(2 * size) }) {
          try bare.open()
          try bare.hash(1)
          try bare.hash(1)
          try bare.hash(passes - 2)
        }, budget: 1, note: "the bare library is closed again each time; memory was used a moment before")
    }

    /// A host that finds 50 modules and loads them, each serving a route.
    private static func many(_ modules: ModuleMaker) throws -> Comparison {
      let (path, identifiers) = try store(modules)
      let opened = try ModuleStore(opening: path, policy: modules.policy, clock: .system)
      let bare = try identifiers.map { identifier in
        let release = try opened.active(identifier)
        let library = ModuleMaker.library("\(identifier)")
        return HashedLibrary(try workingFile(release.path + "/" + library), try release.bytes(of: library))
      }
      let before = ResidentMemory.bytes
      let kept = try PluginHost(policy: modules.policy, store: path)
      kept.start()
      let memory = (ResidentMemory.bytes - before) / count
      return Comparison(
        "start a host with \(count) modules",
        Contender("PluginHost.start", calls: 1) {
          let host = try PluginHost(policy: modules.policy, store: path)
          guard host.start().count == count else { throw BenchFailure(message: "a module was refused") }
        },
        against: Contender("dlopen and SHA-256 of each", calls: 1) {
          for library in bare {
            try library.open()
            try library.hash(1)
          }
        }, budget: nil,
        note:
          "\(memory >> 10) KiB of memory a module; bundles, files and floors of all modules are verified; the bare libraries are closed again"
      )
    }

    /// The dynamic linker looks for a name without a slash in folders.
    private static func workingFile(_ path: String) throws -> String { path.first == "/" ? path : "./" + path }
  }
#endif
