package import ArgumentParser
internal import SignetBase
internal import SignetSystem

/// Where the private key comes from.
package struct SigningKeyOptions: ParsableArguments {
  /// The variable that may hold the text of the key, as pipelines pass secrets on. Verification reads nothing from the
  /// environment.
  private static let variable = "SIGNET_KEY"

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The private key's file. Without --key and --key-fd, Signet reads the key's text from SIGNET_KEY.",
      valueName: "path"), completion: .file())
  package var key: String?

  @Option(name: .long, help: ArgumentHelp("Read the private key from an open descriptor.", valueName: "number"))
  var keyFd: Int32?

  @OptionGroup package var passphrase: PassphraseOptions

  package init() {}

  package func validate() throws {
    if key != nil && keyFd != nil { throw ValidationError("Give --key or --key-fd, not both.") }
    if key.map(StandardInput.isMeant) ?? false {
      throw ValidationError(
        "Standard input is the descriptor 0: --key-fd 0. The text of a key may be in \(Self.variable).")
    }
    if let keyFd, keyFd == passphrase.passphraseFd {
      throw ValidationError("--key-fd and --passphrase-fd are the same descriptor.")
    }
    if key == nil && keyFd == nil && !ProcessEnvironment.has(Self.variable) {
      throw ValidationError("Give the private key: --key PATH, --key-fd N, or its text in \(Self.variable).")
    }
  }

  /// Where the private key is read from.
  package var source: KeySource {
    let place: KeySource.Place =
      if let key { .file(key) } else if let keyFd { .descriptor(keyFd) } else { .variable(Self.variable) }
    return KeySource(place: place, passphrase: passphrase)
  }

  /// The descriptors from which the key and its passphrase are read.
  var descriptors: [Int32?] { [keyFd, passphrase.passphraseFd] }

  /// The files of the key and its passphrase, which no output replaces.
  package var files: [String] { [key, key.map { $0 + ".pub" }, passphrase.passphraseFile].compactMap(\.self) }

  /// Whether a path leads to the file of the private key, or of its passphrase.
  package func isSecret(_ path: String) -> Bool {
    let secrets = FileStatus.identities(of: [key, passphrase.passphraseFile].compactMap(\.self))
    return FileStatus.identities(of: [path]).contains { secrets.contains($0) }
  }
}
