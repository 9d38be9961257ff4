/// Registries of modules: what they cost at scale, and a client's refresh against python-tuf's.
enum RegistryCases {
  /// The modules of the large registry, and its publishers.
  private static let modules = 100_000
  private static let publishers = 50
  /// What a refresh may take of python-tuf's time.
  private static let budget = 0.2
  private static let pairs = 5

  /// Measures a large registry with hash bins and without. With a smaller `--size` it has fewer modules.
  static func scale(_ workshop: Workshop, _ options: Options) throws -> [RegistryScale] {
    let share = min(1, Double(options.size) / Double(LargeFileCases.leastSize))
    let each = max(LargeRegistry.installed, Int(Double(modules / publishers) * share))
    return try [nil, 1 << 40].map { most in
      try RegistryScale(publishers: publishers, modules: each, mostTargets: most, workshop)
    }
  }

  /// Refreshes the same repository by both clients, from the first root on.
  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    guard let python = options.tufPython else {
      StandardStream.error.write("note: python-tuf is not there, and is left out\n")
      return []
    }
    let registry = try LargeRegistry("registry", publishers: publishers, modules: 1, mostTargets: nil)
    defer { _ = try? ChildProcess.run(Command("sh", "-c", "rm -rf registry registry.*")) }
    _ = registry
    let server = try FileServer("registry", python)
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)/metadata/"
    func client(_ folder: String) -> Command {
      let root = "registry/metadata/1.root.json"
      return Command("sh", "-c", "rm -rf \(folder) && mkdir \(folder) && cp \(root) \(folder)/root.json")
    }
    let script = """
      import sys
      from tuf.ngclient import Updater
      Updater(sys.argv[1], sys.argv[2], bootstrap=open(sys.argv[1] + "/root.json", "rb").read()).refresh()
      """
    let comparison = Comparison(
      "refresh a repository of \(publishers) delegated roles, whole process",
      Contender(
        "signet tuf refresh",
        Command(workshop.signet, "tuf", "refresh", "--metadata-dir", "registry.signet", "--metadata-url", url),
        after: client("registry.signet")),
      against: Contender(
        "python-tuf",
        Command(python, ["-c", script, "registry.python", url], shown: "python3 (tuf.ngclient.Updater.refresh)"),
        after: client("registry.python")),
      budget: budget, note: "from the first root on, over HTTP")
    return [try comparison.run(rounds: options.rounds, of: pairs, patience: options.patience)]
  }
}
