public import SignetBase
public import SignetCrypto

/// Something a policy takes its trust back from, and why.
public struct Revocation: Hashable, Sendable {
  /// What is revoked.
  public let target: Target
  /// Why, for people.
  public let reason: String
  /// When it was revoked, for people: it holds for whatever was signed before, too, since only a timestamp could tell.
  public let date: UnixTime?

  /// What can be revoked.
  public enum Target: Hashable, Sendable {
    /// A key, by its ID: as a bare key and in every certificate.
    case key(KeyID)
    /// A certificate, by its serial number as ``SignetCrypto/Certificate/serialNumber`` has it and its issuer's name as `signet inspect` shows it
    /// (RFC 4514), or whoever issued it; its key is revoked with it.
    case certificate(serial: String, issuer: String?)
    /// An artifact, by the SHA-256 of its bytes.
    case sha256(Digest)
    /// An artifact, by the fs-verity digest of its bytes.
    case fsverity(FSVerityDigest)
    /// A release of a module or of a host's manifest.
    case sequence(ModuleIdentifier, Int)
    /// Every release of a module with a version in a range.
    case versions(ModuleIdentifier, VersionRange)
  }

  /// Revokes something.
  public init(_ target: Target, reason: String, date: UnixTime? = nil) {
    self.target = target
    self.reason = reason
    self.date = date
  }
}

extension Revocation {
  /// Makes sure that there can be what is revoked: what is spelt otherwise would be compared and never found.
  ///
  /// - Throws: `policy.entry`.
  func check() throws(SignetError) {
    switch target {
    case .certificate(let serial, _):
      if Target.isSerial(serial) { return }
      throw SignetError(
        .policyEntry, "revocation", "names no serial number", expected: Target.serialForm, found: serial)
    case .sha256(let digest):
      if digest.algorithm == .sha256 { return }
      throw SignetError(
        .policyEntry, "revocation", "is of a digest that no artifact is known by", expected: "SHA-256",
        found: "\(digest)")
    case .key, .fsverity, .sequence, .versions: return
    }
  }
}

extension Revocation.Target {
  static let serialForm = "lower-case hexadecimal, two digits a byte, no zero byte in front"

  /// Whether a text can be a serial number as certificates are shown with it.
  static func isSerial(_ text: String) -> Bool {
    (2...40).contains(text.utf8.count) && text.utf8.count.isMultiple(of: 2) && !text.utf8.starts(with: "00".utf8)
      && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}

extension Revocation: CustomStringConvertible {
  /// What, when and why, for people.
  public var description: String { "\(target)\(date.map { ", \($0)" } ?? ""): \(reason)" }
}

extension Revocation.Target: CustomStringConvertible {
  /// What is revoked, for people.
  public var description: String {
    switch self {
    case .key(let id): "key \(id)"
    case .certificate(let serial, let issuer): "certificate \(serial)\(issuer.map { " of \($0)" } ?? "")"
    case .sha256(let digest): "artifact \(digest)"
    case .fsverity(let digest): "artifact fs-verity \(digest)"
    case .sequence(let module, let number): "release \(number) of \(module)"
    case .versions(let module, let range): "versions \(range) of \(module)"
    }
  }
}
