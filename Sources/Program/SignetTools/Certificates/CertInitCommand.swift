internal import ArgumentParser
internal import CertificateAuthority
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetFiles
internal import SignetKeys
internal import SignetSystem

struct CertInitCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init-ca",
    abstract: "Make an authority: its key and its certificate.",
    discussion: """
      Makes a folder with ca.pem, the certificate that others trust, ca.key, its encrypted private key, and issued.json, \
      the list of what it has issued. With --parent another authority certifies it: the root's key can then stay where \
      nobody reaches it, and the intermediate signs.

      Examples:
        signet cert init-ca root --subject 'CN=Example Root,O=Example'
        signet cert init-ca team --subject 'CN=Team,O=Example' --parent root
      """)

  @Argument(help: "The folder, which is made.", completion: .directory)
  var folder: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The authority's name, such as CN=Example Root,O=Example,C=CH; without types, its CN.", valueName: "name"))
  var subject: String

  @Option(name: .long, help: "The kind of key.")
  var type = AuthorityKeyType.p384

  @Option(
    name: .long, help: ArgumentHelp("The folder of the authority that certifies it.", valueName: "folder"),
    completion: .directory)
  var parent: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read the passphrase of the parent's key from a file. Default: --passphrase-file.", valueName: "file"),
    completion: .file())
  var parentPassphraseFile: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How many days it is valid. Default: 3650, and with --parent as long as the parent, at most 1825.",
      valueName: "number"))
  var days: Int?

  @OptionGroup var passphrase: PassphraseOptions

  @Flag(name: .long, help: "Write the private key without encryption: anyone who can read the file can certify.")
  var noPassphrase = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  /// The kinds of key that an authority may have.
  enum AuthorityKeyType: String, ExpressibleByArgument, CaseIterable {
    case p256, p384, ed25519, rsa3072, rsa4096

    var kind: PrivateKey.Kind { PrivateKey.Kind(rawValue: rawValue) ?? .p384 }
  }

  private static let rootDays = 3650
  private static let intermediateDays = 1825

  func validate() throws {
    if noPassphrase && (passphrase.passphraseFile != nil || passphrase.passphraseFd != nil) {
      throw ValidationError("Give a passphrase or --no-passphrase, not both.")
    }
    if parentPassphraseFile != nil && parent == nil {
      throw ValidationError("--parent-passphrase-file goes with --parent.")
    }
    if parent != nil && passphrase.passphraseFd != nil && parentPassphraseFile == nil {
      throw ValidationError("--passphrase-fd is for one key: with --parent give --parent-passphrase-file, too.")
    }
    if let days, !(1...36_500).contains(days) { throw ValidationError("--days takes a number from 1 to 36500.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("cert init-ca", about: folder, on: console) { (run) throws(SignetError) in
      let place = AuthorityFolder(path: folder)
      // This comes before a passphrase is asked for.
      try OutputFile.check(folder, .keep)
      let name = try CertificateSubject(subject)
      let now = SystemTime.now()
      let secret = noPassphrase ? nil : try passphrase.new(for: "\(folder)/ca.key")
      let key = try PrivateKey.generate(type.kind)
      let text = if let secret { try key.encrypted(with: secret) } else { try key.unencrypted() }
      let made: Authority
      if let parent {
        made = try certified(name, key, by: AuthorityFolder(path: parent), at: now) {
          (authority) throws(SignetError) in
          try place.make(authority, text)
        }
      } else {
        made = try .root(name, key, days: days ?? Self.rootDays, at: now)
        try place.make(made, text)
      }
      let certificate = made.certificate
      try run.did(
        Report.certified(place.certificate, certificate), "\(Console.good()) made  \(folder.display)",
        "  subject  \("\(certificate.subject)".display)", "  until    \(certificate.notAfter)",
        "  next     certify a signer: signet cert issue \(folder.shellWord.display) KEY --subject NAME --out CERT")
    }
  }

  /// The authority, as its parent certifies it. The parent's list has it before its folder is made.
  private func certified(
    _ name: CertificateSubject, _ key: PrivateKey, by parent: AuthorityFolder, at now: UnixTime,
    _ write: (Authority) throws(SignetError) -> Void
  ) throws(SignetError) -> Authority {
    let lock = try parent.lock()
    defer { withExtendedLifetime(lock) {} }
    var above = try parent.read()
    var options = passphrase
    if let parentPassphraseFile { (options.passphraseFile, options.passphraseFd) = (parentPassphraseFile, nil) }
    let left = Int((above.certificate.notAfter.seconds - now.seconds) / 86_400)
    let made = try above.intermediate(
      name, key.publicKey, days: days ?? max(1, min(left, Self.intermediateDays)), by: parent.privateKey(options),
      at: now)
    try parent.keep(above)
    try write(made)
    return made
  }
}
