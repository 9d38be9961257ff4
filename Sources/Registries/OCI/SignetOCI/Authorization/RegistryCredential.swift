package import SignetBase

/// What proves to a registry who asks. It is never shown.
package enum RegistryCredential: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// A name and a password, or a token in its place.
  case password(user: String, secret: String)
  /// A token by which a registry's token server gives others (docker's `identitytoken`).
  case identityToken(String)

  package var description: String { "…" }
  package var debugDescription: String { "…" }

  /// The value of the field Authorization for the scheme Basic (RFC 7617); nil for a token.
  var basic: String? {
    guard case .password(let user, let secret) = self else { return nil }
    return "Basic " + Base64.encode(Array("\(user):\(secret)".utf8))
  }

  /// Reads `user:password` in base64, as docker's file has it.
  init?(base64 text: String) {
    guard let bytes = try? Base64.decode(text), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      UTF8Check.firstFault(in: bytes) == nil
    else { return nil }
    // Docker pads the text with NUL.
    let secret = bytes[(colon + 1)...].prefix { $0 != 0 }
    self.init(
      user: String(decoding: bytes[..<colon], as: UTF8.self), secret: String(decoding: secret, as: UTF8.self))
  }

  /// Takes a name and a password. The name `<token>` says that the secret is an identity token.
  init?(user: String, secret: String) {
    guard !(user + secret).utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }), !secret.isEmpty else { return nil }
    self = user.isExactly("<token>") ? .identityToken(secret) : .password(user: user, secret: secret)
  }
}

/// Where credentials for registries come from.
package protocol CredentialSource: Sendable {
  /// The credential for a repository, or nil.
  ///
  /// - Throws: `oci.credentials`, `file.…`.
  func credential(for repository: RepositoryName) throws(SignetError) -> RegistryCredential?
}

/// Asks as nobody.
package struct NoCredentials: CredentialSource {
  package init() {}

  package func credential(for repository: RepositoryName) throws(SignetError) -> RegistryCredential? { nil }
}
