internal import Signet
package import SignetBase
package import SignetKeys
internal import SignetSystem

/// A place from which a command reads a private key to sign with.
package struct KeySource {
  /// Where the text of the key is.
  package enum Place {
    case file(String)
    case descriptor(Int32)
    case variable(String)
  }

  package let place: Place
  package let passphrase: PassphraseOptions

  package init(place: Place, passphrase: PassphraseOptions) {
    self.place = place
    self.passphrase = passphrase
  }

  /// The key's name in messages.
  package var name: String {
    switch place {
    case .file(let path): path
    case .descriptor(let number): "descriptor \(number)"
    case .variable(let name): name
    }
  }

  /// Reads the private key, and asks for its passphrase if it has one.
  ///
  /// - Parameter allowsTestKeys: whether a test key that Signet publishes may sign. Anybody can sign with it.
  /// - Throws: `key.…`, `passphrase.…`, `file.…`, `policy.test-key`.
  package func privateKey(allowsTestKeys: Bool) throws(SignetError) -> PrivateKey {
    let content = try content()
    let key: PrivateKey
    do throws(SignetError) {
      key = try PrivateKey(file: content) { () throws(SignetError) in try passphrase.existing(for: name) }
    } catch  where error.code == .keyPassphraseRequired {
      var named = error.about(name)
      named.hint = "give --passphrase-file or --passphrase-fd, or run it in a terminal"
      throw named
    } catch {
      throw about(error)
    }
    guard allowsTestKeys || !TestKeys.contains(key.publicKey.id) else {
      throw SignetError(
        .policyTestKey, name, "is a published test key, whose private half is public", expected: "a key of your own",
        found: "\(key.publicKey.id)", hint: "make one: signet keygen --out PATH")
    }
    return key
  }

  private func content() throws(SignetError) -> SecretBytes {
    let (limit, name) = (PrivateKey.sizeLimit, name)
    // An error about what the file is helps more than one about who may read it.
    func isSecret(_ content: SecretBytes) throws(SignetError) -> Bool {
      do throws(SignetError) { try PrivateKey.checkForm(of: content) } catch { throw about(error) }
      return true
    }
    switch place {
    case .file(let path):
      do throws(SignetError) {
        return try TrustedContent.read(path, limit: limit, isSecret: isSecret)
      } catch  where error.code == .fileOthersMayWrite {
        var error = error
        error.hint = "move the key into a folder that only you can write"
        throw error
      }
    case .descriptor(let number): return try TrustedContent.read(number, name, limit: limit, isSecret: isSecret)
    case .variable(let variable):
      let content = ProcessEnvironment.secret(variable)
      _ = try isSecret(content)
      return content
    }
  }

  /// The same error about the key's place, with advice about that place.
  private func about(_ error: SignetError) -> SignetError {
    guard error.object == "key" else { return error }
    var named = error.about(name)
    let suffix = ".pub"
    switch (error.code, place) {
    case (.keyPassphraseWrong, _):
      // OpenSSL's error for bytes that do not decrypt helps nobody.
      named.cause = nil
    case (.keyPublicForPrivate, .file(let path))
    where path.utf8.count > suffix.utf8.count && path.utf8.reversed().starts(with: suffix.utf8.reversed())
      && (try? FileStatus(ofLink: String(path.dropLast(suffix.count)))) != nil:
      named.hint = "sign with \(String(path.dropLast(suffix.count)).shellWord)"
    case (_, .variable(let variable)) where named.hint == nil:
      named.hint = "\(variable) holds the text of the key; a path goes to --key"
    default: break
    }
    return named
  }
}
