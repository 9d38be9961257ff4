/// Directories whose files are in the page cache: many small files, and few large ones.
enum DirectoryCases {
  private static let budget = 0.4

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    let many = TestDirectory.many
    let large = TestDirectory.large(workshop.largeSize)
    let hasBudget = workshop.largeSize >= LargeFileCases.leastSize
    return try
      (comparisons(many, "\(many.count) files", workshop, budget: budget)
      + comparisons(
        large, "\(large.count) files, \(Text.size(large.size))", workshop, budget: hasBudget ? budget : nil))
      .map { try $0.run(rounds: options.rounds, of: 1, patience: options.patience) }
  }

  private static func comparisons(
    _ directory: TestDirectory, _ what: String, _ workshop: Workshop, budget: Double?
  ) -> [Comparison] {
    let verifying = Contender("signet verify", workshop.verifying(directory.name))
    var comparisons: [Comparison] = []
    if let command = workshop.modelVerifying(directory.name) {
      comparisons.append(
        Comparison(
          "verify a directory: \(what)", verifying, against: Contender("model_signing verify", command),
          budget: budget, note: "P-256 key"))
    }
    if Path.hasProgram("sha256sum") {
      let command = Command("sh", "-c", "find \(directory.name) -type f -print0 | xargs -0 sha256sum")
      comparisons.append(
        Comparison(
          "verify a directory: \(what)", verifying, against: Contender("sha256sum", command), budget: nil,
          note: "digests only"))
    }
    return comparisons
  }
}
