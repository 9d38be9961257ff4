internal import Signet
internal import SignetCrypto

/// Private key files, opened so that nobody else can have put them there.
enum KeyFile {
  /// Reads a private key, asking for its passphrase where it has one.
  static func privateKey(_ path: String, _ passphrase: PassphraseOptions) throws(SignetError) -> PrivateKey {
    let file = try TrustedPath.open(path, isSecret: true)
    let content = try file.secretBytes(limit: PrivateKey.sizeLimit)
    do throws(SignetError) {
      return try PrivateKey(file: content) { () throws(SignetError) in try passphrase.existing(for: path) }
    } catch  where error.code == .keyPassphraseRequired {
      var named = error.about(path)
      named.hint = "give --passphrase-file or --passphrase-fd, or run it in a terminal"
      throw named
    } catch {
      throw error.object == "key" ? error.about(path) : error
    }
  }
}
