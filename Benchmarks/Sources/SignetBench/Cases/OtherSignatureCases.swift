/// A large file in the page cache, verified by signatures of other programs, against those programs.
enum OtherSignatureCases {
  /// Where BLAKE2b and SHA-512 take all the time, nobody can be faster; the flat digest is computed meanwhile.
  private static let minisignBudget = 1.0
  private static let sshBudget = 0.6

  static func comparisons(_ workshop: Workshop) throws -> [Comparison] {
    let (file, size) = (workshop.large, Text.size(workshop.largeSize))
    let hasBudget = workshop.largeSize >= LargeFileCases.leastSize
    func verifying(_ key: String, _ signature: String) -> Command {
      Command(workshop.signet, "verify", file, "--key", key, "--signature", signature)
    }
    var comparisons = [
      Comparison(
        "verify \(size) of minisign",
        Contender("signet verify", verifying("\(Workshop.minisignKey).pub", "\(file).minisig")),
        against: Contender("minisign -V", workshop.minisignVerifying(file)),
        budget: hasBudget ? minisignBudget : nil, note: workshop.minisignFormat)
    ]
    guard Path.hasProgram("ssh-keygen") else { return comparisons }
    let signature = "\(file).ssh.sig"
    _ = try ChildProcess.run(
      Command("sh", ["-c", makeSignature(of: file, signature)], shown: "ssh-keygen -Y sign"))
    let verify = "ssh-keygen -Y verify -f signers -I ann -n file -s \(signature) < \(file)"
    comparisons.append(
      Comparison(
        "verify \(size) of ssh-keygen", Contender("signet verify", verifying("signers", signature)),
        against: Contender("ssh-keygen -Y verify", Command("sh", ["-c", verify], shown: "ssh-keygen -Y verify")),
        budget: hasBudget ? sshBudget : nil, note: "Ed25519, SHA-512"))
    return comparisons
  }

  private static func makeSignature(of file: String, _ signature: String) -> String {
    "rm -f ssh.key ssh.key.pub && ssh-keygen -q -t ed25519 -N '' -C '' -f ssh.key"
      + " && sed 's/^/ann /' ssh.key.pub > signers && ssh-keygen -q -Y sign -f ssh.key -n file < \(file) > \(signature)"
  }
}
