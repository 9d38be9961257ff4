public import SignetBase
public import SignetCrypto

/// A policy's withdrawal of trust in something, with the reason.
public struct Revocation: Hashable, Sendable {
  /// The key, certificate, artifact or releases that the policy no longer trusts.
  public let target: Target
  /// The reason, for people.
  public let reason: String
  /// The date of the revocation, for people.
  public let date: UnixTime?
  /// The time from which on a signer is revoked; nil for all that it has ever signed.
  ///
  /// What a trusted authority of timestamps proves to be older stays valid; what nobody proves to be older does not.
  public let from: UnixTime?

  /// The kinds of things that a policy can revoke: keys, certificates, artifacts and releases.
  public enum Target: Hashable, Sendable {
    /// A key, by its ID: as a bare key and in every certificate.
    case key(KeyID)
    /// A certificate, by its serial number and its issuer's name.
    ///
    /// The serial number has the form of `Certificate.serialNumber`. The issuer's name has the form
    /// that `signet inspect` shows (RFC 4514). Without an issuer, certificates of all issuers are meant. The
    /// certificate's key is revoked with it.
    case certificate(serial: String, issuer: String?)
    /// An artifact, by the SHA-256 of its bytes.
    case sha256(Digest)
    /// An artifact, by the fs-verity digest of its bytes.
    case fsverity(FSVerityDigest)
    /// An identity that others vouch for.
    case identity(String, issuer: String?)
    /// A release of a module, or of a host's manifest.
    case sequence(ModuleIdentifier, Int)
    /// Every release of a module whose version is in a range.
    case versions(ModuleIdentifier, VersionRange)
  }

  /// Creates a revocation.
  ///
  /// - Parameters:
  ///   - target: what is revoked.
  ///   - reason: why, for people.
  ///   - date: when it was revoked, for people.
  ///   - from: the time from which on a signer is revoked; nil for always, and for what is no signer.
  public init(_ target: Target, reason: String, date: UnixTime? = nil, from: UnixTime? = nil) {
    (self.target, self.reason, self.date, self.from) = (target, reason, date, from)
  }

  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let target = try Self.target(&object)
    let from = target.isSigner ? try object.optionalTime("from") : nil
    self.init(target, reason: try object.string("reason"), date: try object.optionalTime("date"), from: from)
    try object.finish()
  }

  /// Whether it is about what was signed by these times; without any, about whatever was signed.
  func covers(_ times: [UnixTime]) -> Bool {
    from.map { from in times.isEmpty || times.contains { $0 >= from } } ?? true
  }

  private static func target(_ object: inout JSONObject) throws(SignetError) -> Target {
    let kinds = ["key", "serial", "identity", "sha256", "fsverity", "sequence", "versions"].filter { object.has($0) }
    guard kinds.count == 1 else {
      throw SignetError(
        .policyEntry, object.place, "does not revoke exactly one thing",
        expected: "key, serial, identity, sha256, fsverity, sequence or versions",
        found: kinds.isEmpty ? "none" : kinds.joined(separator: ", "))
    }
    let text = kinds[0] == "sequence" ? "" : try object.string(kinds[0])
    switch kinds[0] {
    case "key":
      guard let id = KeyID(text) else { throw object.wrong("key", "a key ID as ssh-keygen prints it", text) }
      return .key(id)
    case "serial":
      let issuer = try object.optionalString("issuer")
      guard Target.isSerial(text) else { throw object.wrong("serial", Target.serialForm, text) }
      return .certificate(serial: text, issuer: issuer)
    case "identity":
      return .identity(text, issuer: try object.optionalString("issuer"))
    case "sha256":
      guard let digest = Digest(.sha256, hex: text) else {
        throw object.wrong("sha256", "64 lower-case digits", text)
      }
      return .sha256(digest)
    case "fsverity":
      guard let digest = FSVerityDigest(text) else { throw object.wrong("fsverity", "sha256: and 64 digits", text) }
      return .fsverity(digest)
    case "sequence": return .sequence(try object.module("module"), try object.sequence("sequence"))
    default:
      guard let range = VersionRange(text) else {
        throw object.wrong("versions", "a range such as >=1.2.0 <1.4.3", text)
      }
      return .versions(try object.module("module"), range)
    }
  }
}

extension Revocation {
  /// Checks that the target can exist. A misspelt target would be compared and never found.
  ///
  /// - Throws: `policy.entry`.
  func checkTarget() throws(SignetError) {
    switch target {
    case .certificate(let serial, _):
      if Target.isSerial(serial) { return }
      throw SignetError(
        .policyEntry, "revocation", "names no serial number", expected: Target.serialForm, found: serial)
    case .sha256(let digest):
      if digest.algorithm == .sha256 { return }
      throw SignetError(
        .policyEntry, "revocation", "names a digest that Signet does not compute", expected: "SHA-256",
        found: "\(digest)")
    case .key, .identity, .fsverity, .sequence, .versions: return
    }
  }
}

extension Revocation.Target {
  /// Whether it is a signer.
  package var isSigner: Bool {
    switch self {
    case .key, .certificate, .identity: true
    case .sha256, .fsverity, .sequence, .versions: false
    }
  }

  static let serialForm = "lower-case hexadecimal, two digits a byte, no zero byte in front"

  /// Whether a text has the form of a serial number as certificates are shown with it.
  static func isSerial(_ text: String) -> Bool {
    (2...40).contains(text.utf8.count) && text.utf8.count.isMultiple(of: 2) && !text.utf8.starts(with: "00".utf8)
      && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}

extension Revocation: CustomStringConvertible {
  /// The target, the date and the reason, for people.
  public var description: String {
    "\(target)\(from.map { ", from \($0) on" } ?? "")\(date.map { ", \($0)" } ?? ""): \(reason)"
  }
}

extension Revocation.Target: CustomStringConvertible {
  /// The target, for people.
  public var description: String {
    switch self {
    case .key(let id): "key \(id)"
    case .certificate(let serial, let issuer): "certificate \(serial)\(issuer.map { " of \($0)" } ?? "")"
    case .identity(let name, let issuer): "identity \(name)\(issuer.map { " by \($0)" } ?? "")"
    case .sha256(let digest): "artifact \(digest)"
    case .fsverity(let digest): "artifact fs-verity \(digest)"
    case .sequence(let module, let number): "release \(number) of \(module)"
    case .versions(let module, let range): "versions \(range) of \(module)"
    }
  }
}
