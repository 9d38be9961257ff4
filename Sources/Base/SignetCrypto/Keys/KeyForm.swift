package import SignetBase
package import SignetSystem

/// The forms a key file can have.
package enum KeyForm: Sendable {
  /// SubjectPublicKeyInfo (RFC 5280).
  case publicKey
  /// PrivateKeyInfo (RFC 5208) or OneAsymmetricKey (RFC 5958).
  case pkcs8
  /// EncryptedPrivateKeyInfo (RFC 5208).
  case encryptedPKCS8
  /// RSAPrivateKey (RFC 8017), as older versions of OpenSSL write it.
  case rsa
  /// ECPrivateKey (RFC 5915), as older versions of OpenSSL write it.
  case ec
  /// OpenSSH's own form (OpenSSH's PROTOCOL.key).
  case openSSH

  /// The label of the block in which `openssl ecparam -genkey` writes the curve before the key; the key repeats the
  /// curve.
  static let parametersLabel = "EC PARAMETERS"

  /// The label of a block in OpenSSH's own form.
  private static let openSSHLabel = "OPENSSH PRIVATE KEY"
  /// The bytes with which OpenSSH's own form begins.
  package static let openSSHMagic = Array("openssh-key-v1\0".utf8)

  /// The form for the label of a PEM block.
  package init?(label: String) {
    switch label {
    case "PUBLIC KEY": self = .publicKey
    case "PRIVATE KEY": self = .pkcs8
    case "ENCRYPTED PRIVATE KEY": self = .encryptedPKCS8
    case "RSA PRIVATE KEY": self = .rsa
    case "EC PRIVATE KEY": self = .ec
    case Self.openSSHLabel: self = .openSSH
    default: return nil
    }
  }

  /// The form for the first bytes: the first elements of DER differ in every form.
  package init?(der: SecretBytes) {
    if Self.isOpenSSH(der) {
      self = .openSSH
      return
    }
    let form = der.withBytes { bytes -> KeyForm? in
      guard let outer = DERElement(in: bytes, at: 0, limit: bytes.count), outer.tag == DERElement.sequence,
        outer.content.upperBound == bytes.count,
        let first = DERElement(in: bytes, at: outer.content.lowerBound, limit: bytes.count),
        let second = DERElement(in: bytes, at: first.content.upperBound, limit: bytes.count)
      else { return nil }
      return switch (first.tag, second.tag) {
      case (DERElement.sequence, DERElement.bitString): .publicKey
      case (DERElement.sequence, DERElement.octetString): .encryptedPKCS8
      // Version 3 is PKCS#12's.
      case (DERElement.integer, DERElement.sequence)
      where first.content.count == 1 && bytes[first.content.lowerBound] <= 1: .pkcs8
      case (DERElement.integer, DERElement.integer): .rsa
      case (DERElement.integer, DERElement.octetString): .ec
      default: nil
      }
    }
    guard let form else { return nil }
    self = form
  }

  private static func isOpenSSH(_ content: SecretBytes) -> Bool {
    content.withBytes { bytes in
      bytes.count > openSSHMagic.count && openSSHMagic.indices.allSatisfy { bytes[$0] == openSSHMagic[$0] }
    }
  }

  /// Returns the one block of a key file that holds the key.
  ///
  /// - Throws: `key.malformed` if there is no block, `key.unsupported` if there are several certificates and nothing
  ///   else, `key.ambiguous` if there are several keys, or certificates beside a key.
  package static func single(_ blocks: [PEM]) throws(SignetError) -> PEM {
    let blocks = blocks.filter { $0.label != parametersLabel }
    guard let block = blocks.first else { throw unrecognised(nil) }
    if blocks.count == 1 { return block }
    let keys = blocks.filter { !$0.isCertificate }
    if keys.isEmpty { throw unrecognised("CERTIFICATE") }
    if keys.count == blocks.count {
      throw SignetError(
        .keyAmbiguous, "key", "holds several keys", expected: "one key", found: "\(keys.count)",
        hint: "put each key into a file of its own")
    }
    throw SignetError(
      .keyAmbiguous, "key", "holds certificates beside the key", expected: "one key and nothing else",
      found: blocks.map(\.label).joined(separator: ", "),
      hint:
        "put the block \(keys[0].label) into a file of its own and give that here; the certificates go into another, "
        + "which --certificate takes")
  }

  /// The forms that can be read.
  package static let known =
    "PEM or DER of SubjectPublicKeyInfo, PKCS#8, or OpenSSL's RSA or EC private keys, or OpenSSH's form"

  package static func unrecognised(_ label: String?) -> SignetError {
    switch label {
    case "CERTIFICATE", "RSA PUBLIC KEY":
      return SignetError(
        .keyUnsupported, "key", "has a form that is not supported", expected: known, found: label,
        hint: label == "CERTIFICATE"
          ? "to verify with the key inside: openssl x509 -pubkey -noout -in CERTIFICATE > KEY; to sign, give the private "
            + "key, and this with --certificate"
          : "convert it: openssl rsa -RSAPublicKey_in -pubout -in OLD -out NEW")
    default:
      return SignetError(.keyMalformed, "key", "holds no key that can be recognised", expected: known, found: label)
    }
  }
}
