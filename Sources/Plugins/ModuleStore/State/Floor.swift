internal import Signet
public import SignetBase
public import SignetCrypto

/// The lowest sequence of a module that a store accepts: that of the highest release that has been loaded.
public struct Floor: Hashable, Sendable {
  /// The lowest sequence.
  public let sequence: Int
  /// The time when the floor was raised to that sequence.
  public let since: UnixTime
  /// The signers of the release that raised it.
  let signers: [Signer]

  /// The keys that signed the release that raised the floor.
  public var keys: [KeyID] { signers.map(\.key) }

  /// A signer of a release: a key, and the certificates that vouched for it.
  struct Signer: Hashable, Sendable {
    let key: KeyID
    let certificates: [CertificateName]
  }

  /// A certificate, as revocations name it.
  struct CertificateName: Hashable, Sendable {
    let serial: String
    let issuer: String
  }

  init(sequence: Int, since: UnixTime, signers: [Signer]) {
    self.sequence = sequence
    self.since = since
    self.signers = signers
  }

  /// The floor that a release sets.
  init(_ release: InstalledModule, since: UnixTime) {
    self.init(sequence: release.sequence, since: since, signatures: release.signatures)
  }

  /// The floor that signed content with these signatures sets.
  init(sequence: Int, since: UnixTime, signatures: [VerifiedSignature]) {
    self.init(sequence: sequence, since: since, signers: Self.signers(signatures))
  }

  /// The signers of these signatures.
  static func signers(_ signatures: [VerifiedSignature]) -> [Signer] {
    signatures.map { signature in
      Signer(
        key: signature.key.id,
        certificates: (signature.certificatePath?.certificates ?? []).map {
          CertificateName(serial: $0.serialNumber, issuer: "\($0.issuer)")
        })
    }
  }

  /// Whether the floor does not count, because the policy revokes every signer that raised it. An attacker may have had
  /// the key, and a high sequence would exclude every later release.
  func isDropped(by policy: TrustPolicy) -> Bool { Self.isDropped(signers, by: policy) }

  /// Whether the policy revokes each of these signers.
  static func isDropped(_ signers: [Signer], by policy: TrustPolicy) -> Bool {
    signers.allSatisfy { signer in
      policy.revokes(signer.key)
        || signer.certificates.contains { policy.revokesCertificate(serial: $0.serial, issuer: $0.issuer) }
    }
  }
}
