/// The files, keys and signatures that the comparisons need, in the working folder.
struct Workshop {
  /// The path of the program that is measured.
  let signet: String
  /// The path of the program that directories are compared with; nil where there is none.
  let modelSigning: String?
  let large = "large.bin"
  let small = "small.bin"
  let largeSize: Int
  static let smallSize = 1 << 20

  static let signetKey = "signet.key"
  static let opensslKey = "openssl.key"
  static let minisignKey = "minisign.key"

  /// Makes them all.
  init(signet: String, modelSigning: String?, size: Int) throws {
    self.signet = signet
    self.modelSigning = modelSigning
    largeSize = size
    StandardStream.error.write("making keys and files\n")
    try run(Command(signet, "keygen", "--no-passphrase", "--out", Self.signetKey))
    let curve = "ec_paramgen_curve:P-256"
    try run(Command("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", curve, "-out", Self.opensslKey))
    try run(Command("openssl", "pkey", "-in", Self.opensslKey, "-pubout", "-out", "\(Self.opensslKey).pub"))
    // -W: without a passphrase.
    try run(Command("minisign", "-G", "-W", "-p", "\(Self.minisignKey).pub", "-s", Self.minisignKey))
    try TestFile.make(large, size: size)
    try TestFile.make(small, size: Self.smallSize)
    for command in [signing(large), signing(small), opensslSigning(large), minisignSigning(large)] {
      try run(command)
    }
    for directory in [TestDirectory.many, .large(size)] {
      try directory.make()
      try run(signing(directory.name))
      if let command = modelSigner(directory.name) { try run(command) }
    }
  }

  func signing(_ file: String) -> Command { Command(signet, "sign", file, "--key", Self.signetKey, "--force") }
  func verifying(_ file: String) -> Command { Command(signet, "verify", file, "--key", "\(Self.signetKey).pub") }

  /// model_signing signs with P-256; nil where it is not there.
  private func modelSigner(_ directory: String) -> Command? {
    modelSigning.map {
      Command(
        $0, "sign", "key", directory, "--private_key", Self.opensslKey, "--signature", "\(directory).model.sig")
    }
  }

  /// Nil where it is not there.
  func modelVerifying(_ directory: String) -> Command? {
    modelSigning.map {
      Command(
        $0, "verify", "key", directory, "--public_key", "\(Self.opensslKey).pub", "--signature",
        "\(directory).model.sig")
    }
  }

  func opensslSigning(_ file: String) -> Command {
    Command("openssl", "dgst", "-sha256", "-sign", Self.opensslKey, "-out", "\(file).sig", file)
  }

  func opensslVerifying(_ file: String) -> Command {
    Command("openssl", "dgst", "-sha256", "-verify", "\(Self.opensslKey).pub", "-signature", "\(file).sig", file)
  }

  func minisignSigning(_ file: String) -> Command { Command("minisign", "-S", "-s", Self.minisignKey, "-m", file) }
  func minisignVerifying(_ file: String) -> Command {
    Command("minisign", "-V", "-p", "\(Self.minisignKey).pub", "-m", file)
  }

  /// Which of its two formats minisign signs with by default: its signature's first two bytes tell.
  var minisignFormat: String {
    let lines = TextFile.content(of: "\(large).minisig")?.split(separator: "\n") ?? []
    guard lines.count > 1 else { return "unknown format" }
    // Base64 of `ED` and of `Ed`.
    if lines[1].hasPrefix("RU") { return "prehashed, its default" }
    return lines[1].hasPrefix("RW") ? "not prehashed, its default" : "unknown format"
  }

  /// The least that peak memory can be told of a program, in bytes.
  func memoryFloor() throws -> Int { try ChildProcess.run(Command("true")).peak ?? 0 }

  private func run(_ command: Command) throws { _ = try ChildProcess.run(command) }
}
