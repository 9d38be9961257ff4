internal import ArgumentParser
internal import Signet
internal import SignetCrypto

/// The names of the kinds of key on the command line.
enum KeyType: String, ExpressibleByArgument, CaseIterable {
  case ed25519, rsa3072, rsa4096, p256, p384

  var kind: PrivateKey.Kind {
    switch self {
    case .ed25519: .ed25519
    case .rsa3072: .rsa3072
    case .rsa4096: .rsa4096
    case .p256: .p256
    case .p384: .p384
    }
  }
}

struct KeygenCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Make a key pair to sign with.",
    discussion: """
      Writes the private key to PATH, encrypted with a passphrase and readable by you alone, and the public key to \
      PATH.pub. Nothing is ever overwritten. Give the public key to those who verify, through a channel they trust.

      Examples:
        signet keygen --out publisher
        signet keygen --type rsa3072 --out ci --passphrase-file secret
      """)

  @Option(name: .long, help: "The kind of key.")
  var type: KeyType = .ed25519

  @Option(name: .long, help: ArgumentHelp("Where to write the private key.", valueName: "path"))
  var out: String

  @OptionGroup var passphrase: PassphraseOptions

  @Flag(name: .long, help: "Write the private key without encryption: whoever reads the file can sign.")
  var noPassphrase = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if noPassphrase && (passphrase.passphraseFile != nil || passphrase.passphraseFd != nil) {
      throw ValidationError("Give a passphrase or --no-passphrase, not both.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let publicPath = out + ".pub"
    // Before the passphrase is asked for: nothing is more annoying than typing it twice for nothing.
    try OutputFile.check(out, .keep)
    try OutputFile.check(publicPath, .keep)
    let secret = noPassphrase ? nil : try passphrase.new(for: out)
    let key = try PrivateKey.generate(type.kind)
    let text: SecretBytes
    if let secret { text = try key.encrypted(with: secret) } else { text = try key.unencrypted() }
    try Interruption.held { () throws(SignetError) in
      try OutputFile.write(secret: text, to: out)
      do throws(SignetError) {
        try OutputFile.write(Array(key.publicKey.pem.utf8), to: publicPath, .keep)
      } catch {
        // Half a pair is of no use; the private half is ours, it was not there before.
        try OutputFile.remove(out)
        throw error
      }
    }
    if console.isJSON {
      try console.document(Report.keygen(key.publicKey, out, publicPath))
      return .done
    }
    try console.result(
      "private key  \(out.display)", "public key   \(publicPath.display)", "key ID       \(key.publicKey.id)",
      "", "sign with    signet sign FILE --key \(out.display)",
      "verify with  signet verify FILE --key \(publicPath.display)")
    return .done
  }
}
