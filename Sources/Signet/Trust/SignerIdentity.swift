internal import SignetCrypto

/// Whom a certificate must name, exactly: one of its subject alternative names, or its subject.
///
/// No patterns: `release@example.com` is that address, byte for byte.
public struct SignerIdentity: Hashable, Sendable, CustomStringConvertible {
  /// What is compared.
  public enum Kind: String, Sendable, CaseIterable {
    /// An e-mail address in the subject alternative names.
    case email
    /// A URI in the subject alternative names.
    case uri
    /// A host's name in the subject alternative names.
    case dns
    /// The whole subject, as `signet inspect` shows it (RFC 4514).
    case subject
  }

  /// What is compared.
  public let kind: Kind
  /// With what.
  public let text: String

  /// An identity of a kind.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// Reads an identity with its kind before it, `email:release@example.com`; without one it is a URI when it has `://`,
  /// an e-mail address when it has `@`, and a host's name otherwise. Nil when it names nobody.
  public init?(_ description: String) {
    for kind in Kind.allCases where description.utf8.starts(with: "\(kind.rawValue):".utf8) {
      let text = String(decoding: description.utf8.dropFirst(kind.rawValue.utf8.count + 1), as: UTF8.self)
      guard !text.isEmpty else { return nil }
      self.init(kind, text)
      return
    }
    guard !description.isEmpty else { return nil }
    self.init(description.contains("://") ? .uri : description.contains("@") ? .email : .dns, description)
  }

  /// The kind and the text.
  public var description: String { "\(kind.rawValue):\(text)" }

  /// Whether a certificate names it.
  func isNamed(by certificate: Certificate) -> Bool {
    switch kind {
    case .subject: certificate.subject.description.isExactly(text)
    case .email: certificate.names(.email, text)
    case .uri: certificate.names(.uri, text)
    case .dns: certificate.names(.dns, text)
    }
  }
}

extension Certificate {
  fileprivate func names(_ kind: SubjectAlternativeName.Kind, _ text: String) -> Bool {
    subjectAlternativeNames.contains { $0.kind == kind && $0.text.isExactly(text) }
  }
}
