internal import ArgumentParser
internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetKeys
internal import SignetSystem

/// A kind of key, by its own name.
struct KeyType: ExpressibleByArgument {
  let kind: PrivateKey.Kind

  init(_ kind: PrivateKey.Kind) { self.kind = kind }

  init?(argument: String) {
    guard let kind = PrivateKey.Kind(rawValue: argument) else { return nil }
    self.kind = kind
  }

  static var allValueStrings: [String] { PrivateKey.Kind.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { kind.rawValue }
}

struct KeygenCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Create a key pair for signing.",
    discussion: """
      Writes the private key to PATH, encrypted with a passphrase and readable by you alone, and the public key to \
      PATH.pub. Existing files are never overwritten. Give the public key to those who verify, over a channel that \
      they trust.

      Examples:
        signet keygen --out publisher
        signet keygen --type rsa3072 --out ci --passphrase-file secret
      """)

  @Option(name: .long, help: "The kind of key.")
  var type = KeyType(.ed25519)

  @Option(name: .long, help: ArgumentHelp("Where to write the private key.", valueName: "path"), completion: .file())
  var out: String

  @OptionGroup var passphrase: PassphraseOptions

  @Flag(name: .long, help: "Write the private key without encryption: anyone who can read the file can sign.")
  var noPassphrase = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  /// What is still one line on a page.
  private static let shortLine = 200

  func validate() throws {
    if noPassphrase && (passphrase.passphraseFile != nil || passphrase.passphraseFd != nil) {
      throw ValidationError("Give a passphrase or --no-passphrase, not both.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let publicPath = out + ".pub"
    // This comes before the passphrase is asked for, so that nobody types it twice for nothing.
    try OutputFile.check(out, .keep)
    try OutputFile.check(publicPath, .keep)
    // This comes early, too: `signet sign` would later refuse a key in such a folder.
    do throws(SignetError) {
      try TrustedPath.checkFolder(of: out)
    } catch  where error.code == .fileMissing {
      throw SignetError(.outputFailed, out, "cannot be written", cause: error, hint: "check that the folder exists")
    } catch  where error.code == .fileOthersMayWrite && error.hint != nil {
      var error = error
      error.hint = "choose a folder that belongs to you and that nobody else may write: --out PATH"
      throw error
    }
    let secret = noPassphrase ? nil : try passphrase.new(for: out)
    let key = try PrivateKey.generate(type.kind)
    let text: SecretBytes
    if let secret { text = try key.encrypted(with: secret) } else { text = try key.unencrypted() }
    try write(text, key.publicKey, publicPath)
    if console.isJSON {
      try console.document(Report.keygen(key.publicKey, out, publicPath))
      return .done
    }
    let line = key.publicKey.line
    try console.result(
      "private key  \(out.display)", "public key   \(publicPath.display)", "in one line  \(line)",
      "key ID       \(key.publicKey.id)",
      "", "sign with    signet sign FILE --key \(out.shellWord.display)",
      "verify with  signet verify FILE --key \(publicPath.shellWord.display)")
    // For the page with the downloads: who reads it has no file with the key. An RSA key would fill six lines.
    if line.utf8.count <= Self.shortLine { try console.result("on a page    signet verify FILE --key \(line)") }
    return .done
  }

  /// Writes both halves of the pair or neither: one half alone is of no use.
  private func write(
    _ text: SecretBytes, _ key: PublicKey, _ publicPath: String
  ) throws(SignetError) {
    try Interruption.held { () throws(SignetError) in
      try OutputFile.write(secret: text, to: out)
      do throws(SignetError) {
        try OutputFile.write(Array(key.pem.utf8), to: publicPath, .keep)
      } catch {
        var failure = error
        // This run wrote the private half: it did not exist before.
        do throws(SignetError) {
          try OutputFile.remove(out)
        } catch {
          failure.hint = "remove \(out.shellWord), whose public half is missing"
        }
        throw failure
      }
    }
  }
}
