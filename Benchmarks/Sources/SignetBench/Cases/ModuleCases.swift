/// Archives of modules: of many small files, and of one large file that can be compressed or cannot.
enum ModuleCases {
  /// Times of the peer that each may take: what is read twice costs more than once, and hashing less than unpacking.
  private static let signingBudget = 1.6
  private static let manyVerifyingBudget = 0.5
  private static let manyInstallingBudget = 1.5
  /// Rounds at most of what takes a minute a pair.
  private static let fewRounds = 3

  /// 9,900 files and 99 folders: with `module.json` there are 10,000 entries.
  private static let many = TestDirectory(
    name: "plugin", folderSize: 100, sizes: (0..<9900).map { 1 + $0 * 97 % 4096 }, of: .text)

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    let tools = ArchiveTools.present()
    for note in tools.notes { StandardStream.error.write("note: \(note)\n") }
    let knowsStores = (try? ChildProcess.run(Command(workshop.signet, "store", "install", "--help"))) != nil
    if !knowsStores { StandardStream.error.write("note: signet knows no stores yet; installing is left out\n") }
    try ModuleArchive.makeKeys(workshop, tools)
    let run = Run(tools: tools, knowsStores: knowsStores, options: options)
    return try run.many(workshop) + run.large(workshop, .noise) + run.large(workshop, .text)
  }

  private struct Run {
    let tools: ArchiveTools
    let knowsStores: Bool
    let options: Options

    func many(_ workshop: Workshop) throws -> [Comparison] {
      StandardStream.error.write("making a module of many files\n")
      try ModuleCases.many.make()
      let module = ModuleArchive(name: ModuleCases.many.name, title: "a module, 10000 entries", workshop: workshop)
      try module.make(tools)
      let comparisons =
        packing(module) + signing(module, budget: signingBudget) + verifying(module, budget: manyVerifyingBudget)
        + installing(module, budget: manyInstallingBudget)
      return try measured(comparisons, options.rounds, module)
    }

    func large(_ workshop: Workshop, _ content: TestFile.Content) throws -> [Comparison] {
      let isNoise = content == .noise
      let size = Text.size(workshop.largeSize)
      StandardStream.error.write("making a module of one file of \(size), \(isNoise ? "stored" : "deflated")\n")
      let module = ModuleArchive(
        name: isNoise ? "noise" : "text", title: "a module, \(size) \(isNoise ? "stored" : "deflated")",
        workshop: workshop)
      try TestDirectory.makeFolder(module.name)
      try TestFile.make("\(module.name)/data.bin", size: workshop.largeSize, of: content)
      try module.make(tools)
      let budget = workshop.largeSize >= LargeFileCases.leastSize ? signingBudget : nil
      let rounds = min(options.rounds, fewRounds)
      let slow = try isNoise ? packing(module).prefix(1).map { try run($0, rounds) } : []
      let comparisons =
        signing(module, budget: budget) + verifying(module, budget: nil) + installing(module, budget: nil)
      return try slow + measured(comparisons, options.rounds, module)
    }

    private func measured(
      _ comparisons: [Comparison], _ rounds: Int, _ module: ModuleArchive
    ) throws -> [Comparison] {
      let measured = try comparisons.map { try run($0, rounds) }
      try module.remove()
      return measured
    }

    private func run(_ comparison: Comparison, _ rounds: Int) throws -> Comparison {
      try comparison.run(rounds: rounds, of: 1, patience: options.patience)
    }

    private func packing(_ module: ModuleArchive) -> [Comparison] {
      let subject = Contender("signet pack", module.packing)
      let title = "pack \(module.title)"
      var comparisons: [Comparison] = []
      if tools.hasBsdtar {
        let other = Contender("bsdtar -c --format zip", module.bsdtarPacking)
        comparisons.append(Comparison(title, subject, against: other, budget: nil))
      }
      if tools.hasZip {
        comparisons.append(Comparison(title, subject, against: Contender("zip -r", module.zipPacking), budget: nil))
      }
      return comparisons
    }

    private func signing(_ module: ModuleArchive, budget: Double?) -> [Comparison] {
      let subject = Contender("signet sign", module.signing)
      let title = "sign \(module.title)"
      var comparisons: [Comparison] = []
      if tools.hasBsdtar {
        let other = Contender("openssl dgst -sha256, then bsdtar -xO", module.hashingAndInflating)
        comparisons.append(Comparison(title, subject, against: other, budget: budget, note: "no signature"))
      }
      if tools.hasJarsigner {
        let other = Contender("jarsigner", module.jarSigning)
        comparisons.append(Comparison(title, subject, against: other, budget: nil, note: "P-256 key"))
      }
      return comparisons
    }

    private func verifying(_ module: ModuleArchive, budget: Double?) -> [Comparison] {
      let subject = Contender("signet verify", module.verifying)
      let title = "verify \(module.title)"
      var comparisons: [Comparison] = []
      if tools.hasJarsigner {
        let other = Contender("jarsigner -verify", module.jarVerifying)
        comparisons.append(Comparison(title, subject, against: other, budget: budget, note: "P-256 key"))
      }
      if tools.hasUnzip {
        let other = Contender("unzip -t", module.unzipTesting)
        comparisons.append(Comparison(title, subject, against: other, budget: nil, note: "checksums only"))
      }
      return comparisons
    }

    private func installing(_ module: ModuleArchive, budget: Double?) -> [Comparison] {
      guard knowsStores, tools.hasBsdtar else { return [] }
      let subject = Contender("signet store install", module.installing, after: module.clearing)
      let other = Contender("bsdtar -x, then sync -f", module.extracting, after: module.clearingToFolder)
      return [
        Comparison(
          "install \(module.title)", subject, against: other, budget: budget, note: "nothing verified")
      ]
    }
  }
}
