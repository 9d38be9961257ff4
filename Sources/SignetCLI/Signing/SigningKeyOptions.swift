internal import ArgumentParser
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Where the private key comes from.
struct SigningKeyOptions: ParsableArguments {
  /// The variable that may hold the text of the key, as pipelines pass secrets on. Verification reads nothing from the
  /// environment.
  private static let variable = "SIGNET_KEY"

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The private key's file. Without --key and --key-fd, Signet reads the key's text from SIGNET_KEY.",
      valueName: "path"), completion: .file())
  var key: String?

  @Option(name: .long, help: ArgumentHelp("Read the private key from an open descriptor.", valueName: "number"))
  var keyFd: Int32?

  @OptionGroup var passphrase: PassphraseOptions

  func validate() throws {
    if key != nil && keyFd != nil { throw ValidationError("Give --key or --key-fd, not both.") }
    if let keyFd, keyFd == passphrase.passphraseFd {
      throw ValidationError("--key-fd and --passphrase-fd are the same descriptor.")
    }
    if key == nil && keyFd == nil && !ProcessEnvironment.has(Self.variable) {
      throw ValidationError("Give the private key: --key PATH, --key-fd N, or its text in \(Self.variable).")
    }
  }

  /// The key's name in messages.
  var name: String { key ?? keyFd.map { "descriptor \($0)" } ?? Self.variable }

  /// The files of the key and its passphrase, which no output replaces.
  var files: [String] { [key, key.map { $0 + ".pub" }, passphrase.passphraseFile].compactMap(\.self) }

  /// Whether a path leads to the file of the private key, or of its passphrase.
  func isSecret(_ path: String) -> Bool {
    let secrets = FileStatus.identities(of: [key, passphrase.passphraseFile].compactMap(\.self))
    return FileStatus.identities(of: [path]).contains { secrets.contains($0) }
  }

  /// Reads the private key, and asks for its passphrase if it has one.
  ///
  /// - Throws: `key.…`, `passphrase.…`, `file.…`.
  func privateKey() throws(SignetError) -> PrivateKey {
    let content = try content()
    do throws(SignetError) {
      return try PrivateKey(file: content) { () throws(SignetError) in try passphrase.existing(for: name) }
    } catch  where error.code == .keyPassphraseRequired {
      var named = error.about(name)
      named.hint = "give --passphrase-file or --passphrase-fd, or run it in a terminal"
      throw named
    } catch {
      throw about(error)
    }
  }

  private func content() throws(SignetError) -> SecretBytes {
    let (limit, name) = (PrivateKey.sizeLimit, name)
    // An error about what the file is helps more than one about who may read it.
    func isSecret(_ content: SecretBytes) throws(SignetError) -> Bool {
      do throws(SignetError) { try PrivateKey.checkForm(of: content) } catch { throw about(error) }
      return true
    }
    if let key {
      do throws(SignetError) {
        return try TrustedContent.read(key, limit: limit, isSecret: isSecret)
      } catch  where error.code == .fileOthersMayWrite {
        var error = error
        error.hint = "move the key into a folder that only you can write, or give its text in \(Self.variable)"
        throw error
      }
    }
    if let keyFd { return try TrustedContent.read(keyFd, name, limit: limit, isSecret: isSecret) }
    let content = ProcessEnvironment.secret(Self.variable)
    _ = try isSecret(content)
    return content
  }

  /// The same error about the key's file, with advice about that file.
  private func about(_ error: SignetError) -> SignetError {
    guard error.object == "key" else { return error }
    var named = error.about(name)
    let suffix = ".pub"
    if error.code == .keyPassphraseWrong {
      // OpenSSL's error for bytes that do not decrypt helps nobody.
      named.cause = nil
    } else if error.code == .keyPublicForPrivate, let key, key.utf8.count > suffix.utf8.count,
      key.utf8.reversed().starts(with: suffix.utf8.reversed())
    {
      named.hint = "sign with \(String(key.dropLast(suffix.count)).shellWord)"
    } else if key == nil, keyFd == nil {
      named.hint = "\(Self.variable) holds the text of the key; a path goes to --key"
    }
    return named
  }
}
