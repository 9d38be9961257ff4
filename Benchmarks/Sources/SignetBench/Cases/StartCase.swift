/// A whole process for a small file: mostly the start of the program.
enum StartCase {
  /// Pairs in a round: each takes milliseconds only.
  private static let pairs = 20

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    let comparison = Comparison(
      "verify \(Text.size(Workshop.smallSize)), whole process",
      Contender("signet verify", workshop.verifying(workshop.small)),
      against: Contender("openssl version", Command("openssl", "version")), budget: 3, note: "does nothing but start")
    return [try comparison.run(rounds: options.rounds, of: pairs, patience: options.patience)]
  }
}
