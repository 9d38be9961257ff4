/// A release in the working folder.
struct GateRelease {
  let name: String
  let workshop: Workshop

  private static let keyStore = "gate.p12"
  private static let password = "changeit"
  /// The sizes of ten artifacts, in parts of their average: most are small, and a few make up most bytes.
  private static let shares = [0.015, 0.06, 0.125, 0.25, 0.5, 0.5, 1, 1, 2, 4.55]
  /// The place among the ten of the one that is a ZIP.
  private static let archivePlace = 7
  /// How many bytes of the text a byte of the ZIP stands for, about.
  private static let expansion = 3
  /// Files in a folder.
  private static let folderSize = 100

  // MARK: Making

  /// Makes a release of files that cannot be compressed, a tenth of them ZIPs, and signs each.
  func make(count: Int, size: Int) throws {
    let average = size / count
    let archive = "\(name).zip"
    let text = "\(name).txt"
    try TestFile.make(text, size: average * Self.expansion, of: .text)
    try run(Command("zip", "-q", archive, text))
    try TestDirectory.makeFolder(name)
    for number in 0..<count {
      let folder = "\(name)/\(number / Self.folderSize)"
      if number.isMultiple(of: Self.folderSize) { try TestDirectory.makeFolder(folder) }
      let place = number % Self.shares.count
      if place == Self.archivePlace {
        try run(Command("cp", archive, "\(folder)/\(number).zip"))
      } else {
        try TestFile.make(
          "\(folder)/\(number).bin", size: Int(Double(average) * Self.shares[place]), seed: UInt64(number) << 32 + 1,
          isSynced: false)
      }
    }
    try run(Command("rm", text, archive))
    try sign()
    if let modelSigning = workshop.modelSigning {
      try run(
        Command(
          modelSigning, "sign", "key", name, "--private_key", Workshop.opensslKey, "--signature",
          "\(name).model.sig"))
    }
  }

  /// Makes ZIPs of small texts, signs each, and signs copies of them with jarsigner.
  func makeArchives(count: Int) throws {
    try run(
      Command(
        "keytool", "-genkeypair", "-keystore", Self.keyStore, "-storetype", "PKCS12", "-storepass", Self.password,
        "-alias", "bench", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=bench"))
    let files = TestDirectory(
      name: "\(name).files", folderSize: 50, sizes: (0..<500).map { 1 + $0 * 97 % 4096 }, of: .text)
    try files.make()
    try TestDirectory.makeFolder(name)
    try TestDirectory.makeFolder("\(name).signed")
    for number in 0..<count {
      let jar = "\(number).jar"
      // Without a line for each folder, as jarsigner wants it.
      try run(Command("sh", "-c", "cd \(files.name) && zip -q -r -D ../\(name)/\(jar) ."))
      try run(
        Command(
          "jarsigner", "-keystore", Self.keyStore, "-storepass", Self.password, "-signedjar",
          "\(name).signed/\(jar)", "\(name)/\(jar)", "bench"))
    }
    try sign()
  }

  /// Signs every file, and leaves nothing to be written while something is measured.
  func sign() throws {
    try run(Command(workshop.signet, "sign", "--each", name, "--key", Workshop.signetKey, "--quiet"))
    try run(Command("sync"))
  }

  /// Removes everything that was made.
  func remove() throws {
    try run(Command("rm", "-rf", name, "\(name).files", "\(name).signed", "\(name).model.sig"))
  }

  // MARK: Commands

  var gate: Command { Command(workshop.signet, "gate", name, "--key", "\(Workshop.signetKey).pub", "--quiet") }

  /// Every file hashed once, then every ZIP inflated once, on all cores.
  var hashingAndInflating: Command { reading(["openssl dgst -sha256 -r"]) }

  /// Every file hashed once for each digest that its statement has, then every ZIP inflated once, on all cores.
  var hashingTwiceAndInflating: Command { reading(["openssl dgst -sha256 -r", "fsverity digest"]) }

  private func reading(_ hashing: [String]) -> Command {
    let cores = "$(getconf _NPROCESSORS_ONLN)"
    let hashed = hashing.map { "find \(name) -type f -print0 | xargs -0 -P \(cores) -n 32 \($0) > /dev/null" }
    let inflated = "find \(name) -name '*.zip' -print0 | xargs -0 -P \(cores) -n 1 bsdtar -xOf > /dev/null"
    let script = (hashed + [inflated]).joined(separator: " && ")
    return Command("sh", ["-c", script], shown: script)
  }

  var jarVerifying: Command {
    let script =
      "find \(name).signed -name '*.jar' -print0 | xargs -0 -P $(getconf _NPROCESSORS_ONLN) -n 1 jarsigner -verify"
    return Command("sh", ["-c", script], shown: script)
  }

  /// Nil where model_signing is not there.
  var modelVerifying: Command? {
    workshop.modelSigning.map {
      Command(
        $0, "verify", "key", name, "--public_key", "\(Workshop.opensslKey).pub", "--signature", "\(name).model.sig")
    }
  }

  private func run(_ command: Command) throws { _ = try ChildProcess.run(command) }
}
