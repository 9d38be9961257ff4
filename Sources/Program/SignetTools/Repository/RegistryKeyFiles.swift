internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

/// The private keys that publish.
struct OnlineKeyOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The private key of snapshot and timestamp. Repeatable, for example with the old and the new one.",
      valueName: "path"), completion: .file())
  var onlineKey: [String] = []
}

/// Reads private keys for a registry. One passphrase opens all of them, or each is asked for.
enum RegistryKeyFiles {
  static func read(_ paths: [String], _ passphrase: PassphraseOptions) throws(SignetError) -> [PrivateKey] {
    var keys: [PrivateKey] = []
    for path in paths {
      keys.append(try KeySource(place: .file(path), passphrase: passphrase).privateKey(allowsTestKeys: false))
    }
    return keys
  }

  static func publicKeys(_ arguments: [String]) throws(SignetError) -> [PublicKey] {
    var keys: [PublicKey] = []
    for argument in arguments {
      let key = try KeyFile.publicKey(argument)
      guard !TestKeys.contains(key.id) else {
        throw SignetError(
          .policyTestKey, argument, "is a published test key, whose private half is public",
          expected: "a key of your own", found: "\(key.id)", hint: "make one: signet keygen --out PATH")
      }
      keys.append(key)
    }
    return keys
  }
}
