package import Signet
package import SignetBase
package import SignetCrypto
internal import SignetKeys
internal import SignetSystem

/// Public keys that are named on a command line.
package enum KeyFile {
  /// Whether an argument is a key as text, and not the name of its file: also one that was changed on its way, or is another
  /// program's, of which reading says what it is.
  static func isText(_ argument: String) -> Bool { PublicKey.isText(argument) || OtherKey.isText(argument) }

  /// A public key: the key itself as text, or its file, which no other user may have put there.
  ///
  /// - Throws: `file.others-may-write`, what opening a file throws, `key.…`.
  package static func publicKey(_ argument: String) throws(SignetError) -> PublicKey {
    if isText(argument) { return try text(argument) }
    return try publicKey(TrustedContent.read(argument, limit: PublicKey.sizeLimit), argument)
  }

  /// A public key that is also named by its ID: then it does not matter whose file it is.
  ///
  /// - Throws: `key.pin-mismatch`, what opening a file throws, `key.…`.
  package static func publicKey(_ argument: String, pinned id: KeyID) throws(SignetError) -> PublicKey {
    guard isText(argument) else {
      let key = try publicKey(TrustedContent.readPinned(argument, limit: PublicKey.sizeLimit), argument)
      try key.check(pinned: id, argument)
      return key
    }
    let key = try text(argument)
    try key.check(pinned: id, "--key")
    return key
  }

  /// A public key that is given as text.
  static func text(_ argument: String) throws(SignetError) -> PublicKey {
    try OtherKey.explaining(SecretBytes(Array(argument.utf8)), isToSign: false) { () throws(SignetError) in
      try PublicKey(text: argument)
    }
  }

  /// The public key that a file has.
  ///
  /// - Parameter path: what messages call the file.
  static func publicKey(_ content: SecretBytes, _ path: String) throws(SignetError) -> PublicKey {
    do throws(SignetError) {
      return try OtherKey.explaining(content, isToSign: false) { () throws(SignetError) in
        try PublicKey(file: content)
      }
    } catch { throw error.about(path) }
  }
}
