package import ArgumentParser
package import SignetBase
internal import SignetCrypto
internal import SignetKeys
package import SignetSystem

/// Where a passphrase comes from. It never comes from an argument, which every user of the machine can read.
package struct PassphraseOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Read the passphrase from a file with one line.", valueName: "file"),
    completion: .file())
  package var passphraseFile: String?

  @Option(name: .long, help: ArgumentHelp("Read the passphrase from an open descriptor.", valueName: "number"))
  package var passphraseFd: Int32?

  package init() {}

  package func validate() throws {
    if passphraseFile != nil && passphraseFd != nil {
      throw ValidationError("Give --passphrase-file or --passphrase-fd, not both.")
    }
  }

  /// The passphrase of an existing key: from an option, or typed in.
  ///
  /// - Returns: nil if no option was given and there is no terminal.
  package func existing(for key: String) throws(SignetError) -> SecretBytes? {
    if let told = try told() { return told }
    guard let terminal = Terminal() else { return nil }
    return try terminal.ask("Passphrase for \(key.display): ")
  }

  /// The passphrase of a new key: from an option, or typed in twice.
  package func new(for key: String) throws(SignetError) -> SecretBytes {
    let passphrase: SecretBytes
    if let told = try told() {
      passphrase = told
    } else {
      guard let terminal = Terminal() else {
        throw SignetError(
          .keyPassphraseRequired, key, "needs a passphrase, but there is no terminal to ask for it",
          hint: "give --passphrase-file, --passphrase-fd or --no-passphrase")
      }
      passphrase = try terminal.ask("New passphrase for \(key.display): ")
      if passphrase.count > 0 {
        let again = try terminal.ask("Repeat it: ")
        guard again.isSame(as: passphrase) else {
          throw SignetError(.passphraseDiffers, key, "the two passphrases differ", hint: "run the command again")
        }
      }
    }
    guard passphrase.count > 0 else {
      throw SignetError(
        .passphraseEmpty, key, "the passphrase is empty", hint: "say --no-passphrase for a key without one")
    }
    return passphrase
  }

  private func told() throws(SignetError) -> SecretBytes? {
    if let passphraseFile { return try PassphraseReader.file(passphraseFile) }
    if let passphraseFd { return try PassphraseReader.descriptor(passphraseFd) }
    return nil
  }
}
