internal import SignetCrypto

/// An identity that a certificate must name exactly: as one of its subject alternative names, or as its subject.
///
/// An identity is never a pattern: `release@example.com` is that address, byte for byte.
public struct SignerIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The part of the certificate that is compared.
  public enum Kind: String, Sendable, CaseIterable {
    /// An e-mail address in the subject alternative names.
    case email
    /// A URI in the subject alternative names.
    case uri
    /// A host name in the subject alternative names.
    case dns
    /// The whole subject, as `signet inspect` shows it (RFC 4514).
    case subject
  }

  /// The part of the certificate that is compared.
  public let kind: Kind
  /// The text that this part of the certificate must have.
  public let text: String

  /// Creates an identity of a kind.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// Reads an identity, with or without its kind before it, as in `email:release@example.com`.
  ///
  /// Without a kind, the text is a URI if it has `://`, an e-mail address if it has `@`, and otherwise a host name.
  /// Nil if it names nothing.
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

  /// The kind, a colon and the text.
  public var description: String { "\(kind.rawValue):\(text)" }

  /// Whether a certificate names this identity.
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
