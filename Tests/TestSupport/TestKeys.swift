public import SignetCrypto
public import SignetKeys
import SignetSystem

/// The keys of tests that everybody knows, and how the bytes of a key are read.
public enum TestKeys {
  /// The public half of `keys/insecure-test-NAME`.
  public static func publicKey(_ name: String) throws -> PublicKey {
    try PublicKey(file: SecretBytes(try Repository.bytes("keys/insecure-test-\(name).pub")))
  }

  /// Reads a private key.
  public static func load(_ bytes: [UInt8], _ passphrase: String? = nil) throws -> PrivateKey {
    try PrivateKey(file: SecretBytes(bytes)) { passphrase.map { SecretBytes(Array($0.utf8)) } }
  }
}
