/// A large file in the page cache, verified and signed.
enum LargeFileCases {
  /// What verifying may have in memory at once, in bytes.
  private static let memoryBudget = 32 << 20
  /// From this size on the budgets hold: with less to do the start of the programs counts.
  static let leastSize = 256 << 20

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    try (comparisons(workshop) + OtherSignatureCases.comparisons(workshop)).map {
      try $0.run(rounds: options.rounds, of: 1, patience: options.patience)
    }
  }

  private static func comparisons(_ workshop: Workshop) -> [Comparison] {
    let size = Text.size(workshop.largeSize)
    let hasBudget = workshop.largeSize >= leastSize
    let verifying = Contender("signet verify", workshop.verifying(workshop.large))
    var comparisons = [
      Comparison(
        "verify \(size)", verifying,
        against: Contender("openssl dgst -sha256 -verify", workshop.opensslVerifying(workshop.large)),
        budget: hasBudget ? 0.55 : nil, memoryBudget: memoryBudget, note: "P-256 key"),
      Comparison(
        "verify \(size)", verifying, against: Contender("minisign -V", workshop.minisignVerifying(workshop.large)),
        budget: hasBudget ? 0.25 : nil, memoryBudget: memoryBudget, note: workshop.minisignFormat),
      Comparison(
        "sign \(size)", Contender("signet sign", workshop.signing(workshop.large)),
        against: Contender("openssl dgst -sha256 -sign", workshop.opensslSigning(workshop.large)),
        budget: hasBudget ? 1.1 : nil, note: "P-256 key"),
    ]
    if Path.hasProgram("sha256sum") {
      comparisons.append(
        Comparison(
          "verify \(size)", verifying, against: Contender("sha256sum", Command("sha256sum", workshop.large)),
          budget: nil, note: "digest only"))
    }
    return comparisons
  }
}
