/// A module in the working folder: its directory, and its archive as Signet and as jarsigner have signed it.
struct ModuleArchive {
  /// The directory, and what the files made of it are called.
  let name: String
  /// What the reports call it.
  let title: String
  let workshop: Workshop

  var zip: String { "\(name).zip" }
  var jar: String { "\(name).jar" }
  private var packed: String { "\(name).packed.zip" }
  private var folder: String { "\(name).out" }

  static let policy = "policy.json"
  private static let keyStore = "jarsigner.p12"
  private static let password = "changeit"
  private static let keyName = "bench"

  /// Makes what all modules need: a policy, and a key for jarsigner where that is there.
  static func makeKeys(_ workshop: Workshop, _ tools: ArchiveTools) throws {
    try run(Command(workshop.signet, "trust", "init", policy))
    try run(
      Command(
        workshop.signet, "trust", "add", policy, "--name", "bench", "--key", "\(Workshop.signetKey).pub", "--modules",
        "**"))
    guard tools.hasJarsigner else { return }
    try run(
      Command(
        "keytool", "-genkeypair", "-keystore", keyStore, "-storetype", "PKCS12", "-storepass", password, "-alias",
        keyName, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=bench"))
  }

  /// Describes the module whose files are in the directory, packs it and signs it.
  func make(_ tools: ArchiveTools) throws {
    let description = "{\"identifier\":\"com.example.\(name)\",\"version\":\"1.0.0\",\"sequence\":1}"
    try TextFile.write(description, to: "\(name)/module.json")
    try Self.run(Command(workshop.signet, "pack", name, "--out", zip))
    try Self.run(signing)
    if tools.hasJarsigner { try Self.run(jarSigning) }
    // Nothing of it is to be written while something is measured.
    try Self.run(Command("sync"))
  }

  /// Removes everything that was made: large archives take up much space.
  func remove() throws {
    try Self.run(
      Command("rm", "-rf", name, zip, "\(zip).sigstore.json", jar, packed, "\(name).other.zip", folder))
  }

  // MARK: Commands

  var packing: Command { Command(workshop.signet, "pack", name, "--out", packed, "--force") }
  var signing: Command { workshop.signing(zip) }
  var verifying: Command { workshop.verifying(zip) }
  var installing: Command {
    Command(workshop.signet, "store", "install", zip, "--store", folder, "--policy", Self.policy)
  }

  var bsdtarPacking: Command { Command("bsdtar", "-c", "--format", "zip", "-f", "\(name).other.zip", name) }
  /// zip adds to an archive that is there.
  var zipPacking: Command { Command("sh", "-c", "rm -f \(name).other.zip && zip -q -r \(name).other.zip \(name)") }
  /// One digest of the archive, and everything in it inflated once.
  var hashingAndInflating: Command {
    Command("sh", "-c", "openssl dgst -sha256 \(zip) && bsdtar -xOf \(zip) > /dev/null")
  }
  var unzipTesting: Command { Command("unzip", "-t", "-q", zip) }
  var extracting: Command { Command("sh", "-c", "bsdtar -xf \(zip) -C \(folder) && sync -f \(folder)") }
  var jarSigning: Command {
    Command(
      "jarsigner", "-keystore", Self.keyStore, "-storepass", Self.password, "-signedjar", jar, zip, Self.keyName)
  }
  var jarVerifying: Command { Command("jarsigner", "-verify", jar) }

  /// Makes room for an installation: nothing is there, and nothing of what was is still being removed.
  var clearing: Command { Command("sh", "-c", "rm -rf \(folder) && sync") }
  /// The same for a program that unpacks into a directory that is there.
  var clearingToFolder: Command { Command("sh", "-c", "rm -rf \(folder) && mkdir \(folder) && sync") }

  private static func run(_ command: Command) throws { _ = try ChildProcess.run(command) }
}
