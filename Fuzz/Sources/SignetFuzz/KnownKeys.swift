import Signet
import SignetCrypto

/// Keys made when the fuzzer starts, with which nobody signs what the fuzzer feeds.
enum KnownKeys {
  private static let message = Array("message".utf8)
  private static let all: [PublicKey] = PrivateKey.Kind.allCases.compactMap {
    try? PrivateKey.generate($0).publicKey
  }

  /// No input is a valid signature, and none makes the check fail.
  static func checkAll(_ signature: [UInt8]) {
    require(all.count == PrivateKey.Kind.allCases.count, "no keys")
    for key in all {
      guard case .invalid = key.verify(signature, over: message) else {
        return require(false, "\(key.algorithm): accepted or not checked")
      }
    }
  }

  /// No module is accepted, whatever its signing block holds.
  static func verify(module: [UInt8]) {
    guard let policy = try? TrustPolicy(trusting: all) else { return require(false, "no policy") }
    let verifier = Verifier(policy: policy, clock: .fixed(UnixTime(seconds: 1_800_000_000)))
    guard
      let verdict = try? verifier.verify(
        .bytes(module), signatures: .absent, expecting: .module(nil, named: "m.zip"))
    else { return require(false, "not checked") }
    guard case .refused = verdict else { return require(false, "accepted") }
  }

  /// No bundle is accepted.
  static func verify(_ bundle: [UInt8]) {
    guard let policy = try? TrustPolicy(trusting: all) else { return require(false, "no policy") }
    let verifier = Verifier(policy: policy, clock: .fixed(UnixTime(seconds: 1_800_000_000)))
    guard
      let verdict = try? verifier.verify(
        .bytes(message), signatures: .bytes([bundle]), expecting: .file(named: "plugin.bin"))
    else { return require(false, "not checked") }
    guard case .refused = verdict else { return require(false, "accepted") }
  }
}
