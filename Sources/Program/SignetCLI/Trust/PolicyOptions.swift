package import ArgumentParser
internal import Keyless
package import Signet
package import SignetBase
internal import SignetCrypto

/// A SHA-256 digest in hexadecimal.
package struct SHA256Argument: ExpressibleByArgument {
  package let digest: Digest

  package init?(argument: String) {
    let prefix = "sha256:"
    let hex = argument.utf8.starts(with: prefix.utf8) ? String(argument.dropFirst(prefix.count)) : argument
    guard let digest = Digest(.sha256, hex: hex) else { return nil }
    self.digest = digest
  }
}

/// The ID of a key.
struct KeyIDArgument: ExpressibleByArgument {
  let id: KeyID

  init?(argument: String) {
    guard let id = KeyID(argument) else { return nil }
    self.id = id
  }
}

/// The digest of a trust policy whose file may belong to anyone.
package struct PolicyPinOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The policy's SHA-256. Only this policy is accepted, no matter who owns or can write its file.",
      valueName: "hex"))
  package var policySha256: SHA256Argument?

  package init() {}

  /// Checks that there is a policy whose digest is given.
  package func check(_ policy: String?) throws {
    if policySha256 != nil, policy == nil { throw ValidationError("--policy-sha256 goes with --policy.") }
  }

  /// Reads a policy's file.
  package func policy(_ path: String, allowsTestKeys: Bool) throws(SignetError) -> TrustPolicy {
    guard let policySha256 else {
      do throws(SignetError) {
        return try TrustPolicy(trustedFile: path, allowsTestKeys: allowsTestKeys, with: .all)
      } catch  where error.code == .fileOthersMayWrite {
        var error = error
        error.hint = "name the policy by its digest, too, once you know which is right: --policy-sha256 HEX"
        throw error
      }
    }
    return try TrustPolicy(file: path, pinned: policySha256.digest, allowsTestKeys: allowsTestKeys, with: .all)
  }
}
