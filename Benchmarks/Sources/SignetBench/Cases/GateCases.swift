/// Whole releases: the gate against hashing and inflating the same files once, and against programs that verify.
enum GateCases {
  /// What the gate may take besides hashing and inflating each file once with all cores.
  private static let budget = 1.2
  /// Times of `signet verify` of one small file that a gate of forty may take.
  private static let smallBudget = 3.0
  private static let peerBudget = 1.0
  /// What the gate may have in memory at once, however large the release is.
  private static let memoryBudget = 64 << 20
  /// Rounds at most of what takes minutes a pair.
  private static let fewRounds = 3
  private static let smallCount = 40
  private static let smallSize = 4096
  /// Pairs in a round of what takes milliseconds only.
  private static let smallPairs = 10

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    let tools = ArchiveTools.present()
    return try small(workshop, options) + large(workshop, tools, options) + archives(workshop, tools, options)
  }

  /// Forty small files against one.
  private static func small(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    let files = TestDirectory(
      name: "small-release", folderSize: 10, sizes: Array(repeating: smallSize, count: smallCount))
    let release = GateRelease(name: files.name, workshop: workshop)
    try files.make()
    try release.sign()
    let comparison = Comparison(
      "gate \(smallCount) files of \(Text.size(smallSize)), whole process", Contender("signet gate", release.gate),
      against: Contender("signet verify of one", workshop.verifying("\(files.name)/0/0.bin")), budget: smallBudget)
    return [try comparison.run(rounds: options.rounds, of: smallPairs, patience: options.patience)]
  }

  /// A release of 200 artifacts, and one of ten times as many bytes in ten times as many artifacts.
  private static func large(
    _ workshop: Workshop, _ tools: ArchiveTools, _ options: Options
  ) throws -> [Comparison] {
    let few = try mixed("release", count: 200, size: workshop.largeSize, workshop)
    let many = try mixed("large-release", count: 2000, size: 10 * workshop.largeSize, workshop)
    let hasBudget = workshop.largeSize >= LargeFileCases.leastSize
    var comparisons: [Comparison] = []
    for (release, count) in [(few, 200), (many, 2000)] {
      let title = "gate \(count) artifacts, \(Text.size(workshop.largeSize * count / 200))"
      let subject = Contender("signet gate", release.gate)
      if tools.hasBsdtar {
        comparisons.append(
          Comparison(
            title, subject, against: Contender("openssl dgst -sha256, then bsdtar -xO", release.hashingAndInflating),
            budget: hasBudget ? budget : nil, memoryBudget: memoryBudget, note: "all cores, no signature"))
      }
      if tools.hasBsdtar, tools.hasFSVerity {
        comparisons.append(
          Comparison(
            title, subject,
            against: Contender(
              "openssl dgst -sha256, fsverity digest, then bsdtar -xO", release.hashingTwiceAndInflating),
            budget: hasBudget ? budget : nil, note: "all cores, no signature, both digests as the gate"))
      }
      if let command = release.modelVerifying {
        comparisons.append(
          Comparison(
            title, subject, against: Contender("model_signing verify", command), budget: nil,
            note: "P-256 key, nothing is inflated"))
      }
    }
    comparisons.append(
      Comparison(
        "gate 2000 artifacts", Contender("signet gate", many.gate),
        against: Contender("signet gate, 200 artifacts", few.gate), budget: nil, memoryBudget: memoryBudget,
        note: "a tenth of the bytes"))
    let measured = try comparisons.map {
      try $0.run(rounds: min(options.rounds, fewRounds), of: 1, patience: options.patience)
    }
    try few.remove()
    try many.remove()
    return measured
  }

  private static func mixed(
    _ name: String, count: Int, size: Int, _ workshop: Workshop
  ) throws -> GateRelease {
    StandardStream.error.write("making a release of \(count) artifacts, \(Text.size(size))\n")
    let release = GateRelease(name: name, workshop: workshop)
    try release.make(count: count, size: size)
    return release
  }

  /// JARs: the gate has them as they were before jarsigner signed them.
  private static func archives(
    _ workshop: Workshop, _ tools: ArchiveTools, _ options: Options
  ) throws -> [Comparison] {
    guard tools.hasJarsigner else {
      StandardStream.error.write("note: jarsigner is not there, and is left out\n")
      return []
    }
    StandardStream.error.write("making a release of JARs\n")
    let release = GateRelease(name: "jars", workshop: workshop)
    try release.makeArchives(count: 20)
    let comparison = Comparison(
      "gate 20 archives of 500 entries", Contender("signet gate", release.gate),
      against: Contender("jarsigner -verify", release.jarVerifying), budget: peerBudget,
      note: "P-256 key, one after the other on each core")
    let measured = try comparison.run(
      rounds: min(options.rounds, fewRounds), of: 1, patience: options.patience)
    try release.remove()
    return [measured]
  }
}
