import KeyLineages
import SignetCrypto
import SignetVerify

/// Verifies updates by a key that is built in, and by those that follow it.
struct UpdateCheck {
  /// The publisher's first public key, as `signet keygen` prints it.
  let publicKey: String
  /// The file with what was seen of the keys that follow, such as "~/.config/tool/keys.lineage" as a whole path.
  let keptAt: String

  /// Checks a download, after the lineage that the server offers now was taken up.
  /// - Throws: a `SignetError` if the lineage leads elsewhere than what was seen, a `Refusal` if the file is not the publisher's.
  func check(_ bytes: [UInt8], named name: String, bundle: [UInt8], lineage: [UInt8]) throws {
    let builtIn = try TrustPolicy(trusting: [PublicKey(text: publicKey)])
    let policy = try KeptLineages(at: keptAt).follow(lineage, builtIn)
    _ = try Verifier(policy: policy, clock: .system).verify(
      .bytes(bytes), signatures: .bytes([bundle]), expecting: .file(named: name)
    ).get()
  }
}
