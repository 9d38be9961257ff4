internal import Signet
internal import SignetCrypto

/// Very many files in one command line: a file must not take longer because there are more of them.
enum OperandCase {
  private static let counts = (few: 1000, many: 16_000)
  /// The time of a file may be the same; the rest is for the machine.
  private static let budget = 1.1
  /// Bytes of a file: hashing them takes no time that counts.
  private static let size = 64
  private static let folder = "operands"
  private static let key = "operands.pub"

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    StandardStream.error.write("making \(counts.many) files with signatures\n")
    try make()
    let comparison = Comparison(
      "verify \(counts.many) files in one command, time of a file", contender(workshop, counts.many),
      against: contender(workshop, counts.few), budget: budget)
    return [try comparison.run(rounds: options.rounds, of: 1, patience: options.patience)]
  }

  private static func contender(_ workshop: Workshop, _ count: Int) -> Contender {
    let arguments = ["verify", "--key", key] + (0..<count).map(path)
    let shown = "signet verify --key \(key) \(path(0)) … \(path(count - 1))"
    return Contender(
      "signet verify, \(count) files", Command(workshop.signet, arguments, shown: shown), per: count)
  }

  private static func path(_ number: Int) -> String { "\(folder)/\(number).bin" }

  /// The signatures are made here: the program syncs each one.
  private static func make() throws {
    let signer = try Signer(.generate(.ed25519))
    try TextFile.write(signer.publicKey.pem, to: key)
    try TestDirectory.makeFolder(folder)
    for number in 0..<counts.many {
      try Interruption.check()
      let path = path(number)
      let content = String(repeating: "\(number) ", count: size).utf8.prefix(size)
      try TextFile.write(String(decoding: content, as: UTF8.self), to: path)
      let claims = try Signer.FileClaims(name: "\(number).bin", signedAt: UnixTime(seconds: Clock.sinceEpoch))
      let bundle = try signer.sign(.bytes(Array(content)), claims)
      try TextFile.write(
        String(decoding: bundle.canonicalBytes(), as: UTF8.self), to: "\(path).sigstore.json")
    }
    // Nothing of it is to be written while something is measured.
    _ = try ChildProcess.run(Command("sync"))
  }
}
