package import Signet
package import SignetBase
package import SignetCrypto

/// Public keys that are named on a command line.
package enum KeyFile {
  /// A public key: the key itself as text, or its file, which no other user may have put there.
  ///
  /// - Throws: `file.others-may-write`, what opening a file throws, `key.…`.
  package static func publicKey(_ argument: String) throws(SignetError) -> PublicKey {
    PublicKey.isText(argument) ? try PublicKey(text: argument) : try PublicKey(trustedFile: argument)
  }

  /// A public key that is also named by its ID: then it does not matter whose file it is.
  ///
  /// - Throws: `key.pin-mismatch`, what opening a file throws, `key.…`.
  package static func publicKey(_ argument: String, pinned id: KeyID) throws(SignetError) -> PublicKey {
    guard PublicKey.isText(argument) else { return try PublicKey(file: argument, pinned: id) }
    let key = try PublicKey(text: argument)
    try key.check(pinned: id, "--key")
    return key
  }
}
